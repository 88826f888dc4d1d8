"""The facts: machine types, versions, labels, zones, networks, images, figures."""
