"""Reports of a compilation and the costs of its code: as a page, a table, JSON and SARIF.

`compilation` runs the stages and collects data, `facts` queries the analyses about a function,
`costs` computes the cost of memory accesses and the occupancy, `assembly` runs ptxas and nvdisasm.
`page`, `text` and `sarif` are output formats.
"""
