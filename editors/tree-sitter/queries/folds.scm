[ (struct) (enum) (senum) (service) (record) (variant) (encoding) (table) (body) (doc_comment) ] @fold
