"""The SQL that changes rows, one module for each group of tables; `schema.sql` beside this folder defines them."""
