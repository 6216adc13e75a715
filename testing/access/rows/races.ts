import { randomUUID } from 'node:crypto'
import { noRules } from '#contract/shared/raceRules.ts'
import { forEditors, forReaders, forSignedIn, type Rows } from '../answers.ts'
import { newRace, type Scene } from '../sceneInputs.ts'

const newCar = () => ({
  id: randomUUID(),
  number: randomUUID().slice(0, 4),
  name: null,
  carClass: 'GT4',
  tankL: 100,
  reserveL: 3,
  burnL: 2.5,
})

const newDriver = ({ memberId }: Scene) => ({
  id: randomUUID(),
  name: 'Noor Haddad',
  userId: memberId,
})

const fill = { litres: 58, kind: 'full' }

const rulePackFile = JSON.stringify({ format: 'pitboard-rule-pack', version: 1, rules: noRules })

/** Calls about rosters, stints, fuel entries, races and rule packs. */
export const raceRows: Rows = {
  'roster.get': forReaders,
  'roster.saveCar': { input: () => ({ car: newCar() }), answers: forEditors },
  'roster.removeCar': forEditors,
  'roster.saveDriver': { input: s => ({ driver: newDriver(s) }), answers: forEditors },
  'roster.removeDriver': forEditors,
  'roster.sort': { input: s => ({ what: 'cars', ids: [s.carId] }), answers: forEditors },
  'carRaces.ofSession': forReaders,
  'carRaces.ofRace': { input: s => ({ carId: s.carId }), answers: forReaders },
  'carRaces.correctRuns': {
    input: s => ({
      correctionId: randomUUID(),
      decisions: [{ phone: s.sessionId, from: Date.now(), until: null }],
    }),
    answers: forEditors,
  },
  'carRaces.undoCorrection': { input: () => ({ correctionId: randomUUID() }), answers: forEditors },
  'stints.add': { input: () => ({ stintId: randomUUID() }), answers: forEditors },
  'stints.keepDriver': {
    input: () => ({ stintId: randomUUID(), at: Date.now() }),
    answers: forEditors,
  },
  'stints.edit': {
    input: s => ({ edits: [{ kind: 'remove', stintId: s.stintId }] }),
    answers: forEditors,
  },
  'stints.remove': forEditors,
  'stints.setAutoPit': { input: { on: true }, answers: forEditors },
  'stints.setCar': forEditors,
  'fills.add': { input: () => ({ ...fill, fillId: randomUUID() }), answers: forEditors },
  'fills.change': { input: fill, answers: forEditors },
  'fills.remove': forEditors,
  'fills.setStart': { input: { litres: 80 }, answers: forEditors },
  'timing.presets': forSignedIn,
  'timing.ofRace': forReaders,
  'timing.passings': { input: { number: '17' }, answers: forReaders },
  'timing.names': forEditors,
  'timing.setSource': { input: { source: null }, answers: forEditors },
  'timing.followClock': { input: { follow: true }, answers: forEditors },
  'timing.enter': {
    input: s => ({
      entryId: randomUUID(),
      entry: { carId: s.carId, position: 4 },
    }),
    answers: forEditors,
  },
  'timing.undoEntry': { input: () => ({ entryId: randomUUID() }), answers: forEditors },
  'timing.push': { input: { number: 1, lines: ['$I,"14:00:00","1 May 26"'] }, answers: forEditors },
  'races.list': forReaders,
  'races.save': {
    input: s => ({ race: { ...newRace(), id: s.raceId, name: 'Spa' } }),
    answers: forEditors,
  },
  'races.remove': { input: () => ({ raceId: randomUUID() }), answers: forEditors },
  'races.start': forEditors,
  'races.pause': forEditors,
  'races.resume': forEditors,
  'races.end': forEditors,
  'races.plan': forReaders,
  'races.changePlan': { input: { change: { kind: 'stop', stopMs: 1000 } }, answers: forEditors },
  'rulePacks.list': forReaders,
  'rulePacks.save': { input: () => ({ id: randomUUID(), rules: noRules }), answers: forEditors },
  'rulePacks.remove': { input: s => ({ id: s.rulePackId }), answers: forEditors },
  'rulePacks.import': {
    input: () => ({ id: randomUUID(), file: rulePackFile }),
    answers: forEditors,
  },
}
