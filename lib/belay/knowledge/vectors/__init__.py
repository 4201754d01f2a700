"""The extra `vectors`: search by meaning beside search by words."""
