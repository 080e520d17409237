/** The manifests of Kubernetes, read as the objects that they become. */
import './components.cases.js';
import './overlays.cases.js';
import './production-overlay.cases.js';
