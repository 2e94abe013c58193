// Plotly's core (which brings scatter) and the other trace types that the site draws.
const Plotly = require("plotly.js/lib/core");

Plotly.register([
  require("plotly.js/lib/heatmap"),
]);

module.exports = Plotly;
