g = null
