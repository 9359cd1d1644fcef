"""The look: tokens, fonts, icons, marks and badges, and the application's one style. Importing this imports nothing."""
