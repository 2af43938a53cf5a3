"""Pictures of boards: SVG remembered, and PNG drawn in processes that may die."""
