import { editorsGet, forEditors, forReaders, type Rows } from '../answers.ts'

const ofZolder = { circuitId: 'zolder' }
const ovalFile = JSON.stringify({
  type: 'LineString',
  coordinates: Array.from({ length: 40 }, (_, index) => [
    5 + 0.004 * Math.cos((index * Math.PI) / 20),
    50 + 0.002 * Math.sin((index * Math.PI) / 20),
  ]),
})

/** Calls about the circuits of a team. */
export const circuitRows: Rows = {
  'circuits.list': forReaders,
  'circuits.get': { input: ofZolder, answers: forReaders },
  'circuits.usualLap': { input: ofZolder, answers: forReaders },
  'circuits.ofSession': forReaders,
  'circuits.driven': forReaders,
  // The session's circuit is not known yet. A viewer is refused before that is checked.
  'circuits.setGate': { input: { gate: 'line' }, answers: editorsGet('invalid-input') },
  'circuits.placeLine': {
    input: { ...ofZolder, place: { latitude: 50.99, longitude: 5.2565 } },
    answers: forEditors,
  },
  // The circuit has no pit lane.
  'circuits.removePitLane': { input: ofZolder, answers: editorsGet('not-found') },
  'circuits.undo': { input: { ...ofZolder, version: 1 }, answers: editorsGet('not-found') },
  // A circuit that comes with the app cannot be reversed.
  'circuits.reverse': { input: ofZolder, answers: editorsGet('invalid-input') },
  'circuits.rename': { input: { ...ofZolder, name: 'Home' }, answers: forEditors },
  'circuits.delete': { input: ofZolder, answers: editorsGet('invalid-input') },
  'circuits.import': { input: { name: 'Oval', file: ovalFile }, answers: forEditors },
}
