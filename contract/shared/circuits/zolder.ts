/*!
 * © OpenStreetMap contributors. This outline is derived from OpenStreetMap data and is available
 * under the Open Database License 1.0 (https://opendatacommons.org/licenses/odbl/1-0/).
 * It is not covered by the license of the rest of this repository: see README.md in this folder.
 */

import type { Circuit } from './circuit.ts'
import outline from './zolder.json' with { type: 'json' }

export const zolder: Circuit = {
  id: 'zolder',
  name: 'Circuit Zolder',
  attribution: '© OpenStreetMap contributors',
  lengthM: 4011,
  direction: 'clockwise',
  // Estimated from the map, not surveyed.
  startFinish: { latitude: 50.9888713, longitude: 5.2553103, headingDeg: 236.7 },
  outline,
}
