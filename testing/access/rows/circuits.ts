import { editorsGet, forEditors, forReaders, type Rows } from '../answers.ts'
import { ofSession, ofTeam, type Scene } from '../sceneInputs.ts'

const ofCircuit = ({ teamId }: Scene) => ({ teamId, circuitId: 'zolder' })
const ovalFile = JSON.stringify({
  type: 'LineString',
  coordinates: Array.from({ length: 40 }, (_, index) => [
    5 + 0.004 * Math.cos((index * Math.PI) / 20),
    50 + 0.002 * Math.sin((index * Math.PI) / 20),
  ]),
})

/** Calls about the circuits of a team. */
export const circuitRows: Rows = {
  'circuits.list': { input: ofTeam, answers: forReaders },
  'circuits.get': { input: s => ofCircuit(s), answers: forReaders },
  'circuits.usualLap': { input: ofCircuit, answers: forReaders },
  'circuits.ofSession': { input: ofSession, answers: forReaders },
  'circuits.driven': { input: ofSession, answers: forReaders },
  // The session's circuit is not known yet. A viewer is refused before that is checked.
  'circuits.setGate': {
    input: s => ({ ...ofSession(s), gate: 'line' }),
    answers: editorsGet('invalid-input'),
  },
  'circuits.placeLine': {
    input: s => ({ ...ofCircuit(s), place: { latitude: 50.99, longitude: 5.2565 } }),
    answers: forEditors,
  },
  // The circuit has no pit lane.
  'circuits.removePitLane': {
    input: s => ofCircuit(s),
    answers: editorsGet('not-found'),
  },
  'circuits.undo': {
    input: s => ({ ...ofCircuit(s), version: 1 }),
    answers: editorsGet('not-found'),
  },
  // A circuit that comes with the app cannot be reversed.
  'circuits.reverse': {
    input: s => ofCircuit(s),
    answers: editorsGet('invalid-input'),
  },
  'circuits.rename': { input: s => ({ ...ofCircuit(s), name: 'Home' }), answers: forEditors },
  'circuits.delete': {
    input: s => ofCircuit(s),
    answers: editorsGet('invalid-input'),
  },
  'circuits.import': {
    input: s => ({ ...ofTeam(s), name: 'Oval', file: ovalFile }),
    answers: forEditors,
  },
}
