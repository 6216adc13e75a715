import { randomUUID } from 'node:crypto'
import { noRules } from '#contract/shared/raceRules.ts'
import { forEditors, forReaders, forSignedIn, type Rows } from '../answers.ts'
import { newRace, ofSession, ofTeam, type Scene } from '../sceneInputs.ts'

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

const fillOf = ({ sessionId, fillId }: Scene) => ({
  sessionId,
  fillId,
  litres: 58,
  kind: 'full',
})

const rulePackFile = JSON.stringify({ format: 'pitboard-rule-pack', version: 1, rules: noRules })

/** Calls about rosters, stints, fuel entries, races and rule packs. */
export const raceRows: Rows = {
  'roster.get': { input: ofTeam, answers: forReaders },
  'roster.saveCar': { input: s => ({ ...ofTeam(s), car: newCar() }), answers: forEditors },
  'roster.removeCar': { input: s => ({ ...ofTeam(s), carId: s.carId }), answers: forEditors },
  'roster.saveDriver': {
    input: s => ({ ...ofTeam(s), driver: newDriver(s) }),
    answers: forEditors,
  },
  'roster.removeDriver': {
    input: s => ({ ...ofTeam(s), driverId: s.rosterDriverId }),
    answers: forEditors,
  },
  'roster.sort': {
    input: s => ({ ...ofTeam(s), what: 'cars', ids: [s.carId] }),
    answers: forEditors,
  },
  'carRaces.ofSession': { input: ofSession, answers: forReaders },
  'carRaces.ofRace': { input: s => ({ raceId: s.raceId, carId: s.carId }), answers: forReaders },
  'carRaces.correctRuns': {
    input: s => ({
      ...ofSession(s),
      correctionId: randomUUID(),
      decisions: [{ phone: s.sessionId, from: Date.now(), until: null }],
    }),
    answers: forEditors,
  },
  'carRaces.undoCorrection': {
    input: s => ({ ...ofSession(s), correctionId: randomUUID() }),
    answers: forEditors,
  },
  'stints.add': {
    input: s => ({ ...ofSession(s), stintId: randomUUID(), driverId: s.rosterDriverId }),
    answers: forEditors,
  },
  'stints.edit': {
    input: s => ({ ...ofSession(s), edits: [{ kind: 'remove', stintId: s.stintId }] }),
    answers: forEditors,
  },
  'stints.remove': {
    input: s => ({ ...ofSession(s), stintId: s.stintId }),
    answers: forEditors,
  },
  'stints.setAutoPit': { input: s => ({ ...ofSession(s), on: true }), answers: forEditors },
  'stints.setCar': { input: s => ({ ...ofSession(s), carId: s.carId }), answers: forEditors },
  'fills.add': { input: s => ({ ...fillOf(s), fillId: randomUUID() }), answers: forEditors },
  'fills.change': { input: fillOf, answers: forEditors },
  'fills.remove': {
    input: s => ({ ...ofSession(s), fillId: s.fillId }),
    answers: forEditors,
  },
  'fills.setStart': { input: s => ({ ...ofSession(s), litres: 80 }), answers: forEditors },
  'timing.presets': { answers: forSignedIn },
  'timing.ofRace': { input: s => ({ raceId: s.raceId }), answers: forReaders },
  'timing.passings': {
    input: s => ({ raceId: s.raceId, number: '17' }),
    answers: forReaders,
  },
  'timing.names': { input: s => ({ raceId: s.raceId }), answers: forEditors },
  'timing.setSource': {
    input: s => ({ raceId: s.raceId, source: null }),
    answers: forEditors,
  },
  'timing.followClock': {
    input: s => ({ raceId: s.raceId, follow: true }),
    answers: forEditors,
  },
  'timing.enter': {
    input: s => ({
      raceId: s.raceId,
      entryId: randomUUID(),
      entry: { carId: s.carId, position: 4 },
    }),
    answers: forEditors,
  },
  'timing.undoEntry': {
    input: s => ({ raceId: s.raceId, entryId: randomUUID() }),
    answers: forEditors,
  },
  'timing.push': {
    input: s => ({ raceId: s.raceId, number: 1, lines: ['$I,"14:00:00","1 May 26"'] }),
    answers: forEditors,
  },
  'races.list': { input: ofTeam, answers: forReaders },
  'races.save': {
    input: s => ({ ...ofTeam(s), race: { ...newRace(), id: s.raceId, name: 'Spa' } }),
    answers: forEditors,
  },
  'races.remove': {
    input: s => ({ ...ofTeam(s), raceId: randomUUID() }),
    answers: forEditors,
  },
  'races.start': { input: s => ({ raceId: s.raceId }), answers: forEditors },
  'races.pause': { input: s => ({ raceId: s.raceId }), answers: forEditors },
  'races.resume': { input: s => ({ raceId: s.raceId }), answers: forEditors },
  'races.end': { input: s => ({ raceId: s.raceId }), answers: forEditors },
  'races.plan': { input: s => ({ raceId: s.raceId }), answers: forReaders },
  'races.changePlan': {
    input: s => ({ raceId: s.raceId, carId: s.carId, change: { kind: 'stop', stopMs: 1000 } }),
    answers: forEditors,
  },
  'rulePacks.list': { input: ofTeam, answers: forReaders },
  'rulePacks.save': {
    input: s => ({ ...ofTeam(s), id: randomUUID(), rules: noRules }),
    answers: forEditors,
  },
  'rulePacks.remove': { input: s => ({ ...ofTeam(s), id: s.rulePackId }), answers: forEditors },
  'rulePacks.import': {
    input: s => ({ ...ofTeam(s), id: randomUUID(), file: rulePackFile }),
    answers: forEditors,
  },
}
