/*!
 * © OpenStreetMap contributors. This outline is derived from OpenStreetMap data and is available
 * under the Open Database License 1.0 (https://opendatacommons.org/licenses/odbl/1-0/).
 * It is not covered by the license of the rest of this repository: see README.md in this folder.
 */

import type { Circuit } from './circuit.ts'
import outline from './spa-francorchamps.json' with { type: 'json' }

export const spaFrancorchamps: Circuit = {
  id: 'spa-francorchamps',
  name: 'Circuit de Spa-Francorchamps',
  attribution: '© OpenStreetMap contributors',
  lengthM: 7004,
  direction: 'clockwise',
  // Estimated from the map, not surveyed.
  startFinish: { latitude: 50.4431181, longitude: 5.96601, headingDeg: 330.3 },
  outline,
}
