"""Discovery of rewrite rules: windows of optimized code, cheaper equivalents, and their proofs.

    python -m dev.superopt FILE.ll ... [--launch] [--rules 20]

`windows` collects connected groups of up to six scalar integer ops from the code after the passes
of -O3, with execution counts. `search` enumerates expressions over the inputs of a window, keeps one
for each class of expressions that agree on samples, and returns those that are cheaper than the ops
that become dead. `rows` generalizes constants, writes the replacement as a row of a rule table, and
proves it. `costs` assembles both sides with ptxas, because many cheaper expressions have the same
machine code. `forms` searches PTX for equivalent forms that ptxas assembles to fewer instructions.
The method is that of Souper (Sasnauskas et al., 2017) and Minotaur (Liu et al., 2024).
"""
