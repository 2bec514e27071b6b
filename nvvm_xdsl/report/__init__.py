"""What a compilation did and what its code costs: as a page, a table, JSON and SARIF.

`compilation` runs the stages and gathers, `facts` asks the analyses about a function, `costs` says
of memory accesses and occupancy what they cost, `assembly` what ptxas and nvdisasm say; `page`,
`text` and `sarif` are the forms in which all of it is shown.
"""
