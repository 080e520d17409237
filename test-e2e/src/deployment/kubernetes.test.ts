/** The Kubernetes manifests, read as the resulting objects. */
import './components.cases.js';
import './overlays.cases.js';
import './production-overlay.cases.js';
