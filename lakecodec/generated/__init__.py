"""Generated codecs. The modules here come from idl/ by `lakecodec generate`; their headers say from which file."""
