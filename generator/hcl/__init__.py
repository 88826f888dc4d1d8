"""Reading HCL: text to blocks, nodes and values. Knows nothing of GKE.

There are two readers of native syntax, and one node format. `parser` is our own: strict as Terraform, exact places, 440 KB of
real modules in 60 ms on one core; it reads what people wrote. `hcl2_reader` is python-hcl2: twenty to forty times slower, reads
much invalid text in silence and needs every item rewritten first; it reads back what `generate` wrote, as a reader that shares
neither lexer nor grammar with ours. The tests demand equal nodes of both.
"""
