// Shows the OpenAPI document of this service. Nothing is loaded from elsewhere: no validator badge, no fonts.
window.SwaggerUIBundle({
  url: document.getElementById("docs").dataset.document,
  dom_id: "#docs",
  deepLinking: true,
  validatorUrl: null,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  tryItOutEnabled: false,
  persistAuthorization: false,
});
