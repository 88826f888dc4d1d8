"""The rules, one file each: `local_ssd.py` holds the rule `local-ssd`.

A rule's file has one `RULE` (see `base.Rule`) and a docstring that is its page, in Markdown. Its first line says in one
sentence what the rule is about and ends with a full stop. Then these headings follow, all of them, in this order, each on a
line of its own with `## ` before it:

    ## What it does     what is checked, and for which pools or clusters
    ## Why              what happens otherwise: the harm, and when it shows
    ## Bad              one fenced block ```hcl that makes a finding
    ## Good             one fenced block ```hcl, the same written rightly
    ## Fix              begins with `Safe`, `Unsafe` or `None`, then what the fix does, or why there is none
    ## Source           where the fact stands: a list of links or names of documents

A rule with findings of more than one severity says under "What it does" which is which. `script/rule-pages` makes
`docs/rules/` of the docstrings.
"""
