#ifndef TREE_SITTER_LAKECODEC_IDL_H_
#define TREE_SITTER_LAKECODEC_IDL_H_

typedef struct TSLanguage TSLanguage;

#ifdef __cplusplus
extern "C" {
#endif

const TSLanguage *tree_sitter_lakecodec_idl(void);

#ifdef __cplusplus
}
#endif

#endif // TREE_SITTER_LAKECODEC_IDL_H_
