"""Django's PostgreSQL backend whose connections wait for nobody for ever."""
