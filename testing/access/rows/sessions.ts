import { randomUUID } from 'node:crypto'
import { phoneState } from '../../live/liveScene.ts'
import { editorsGet, forDriver, forEditors, forReaders, type Rows } from '../answers.ts'
import { ofSession, ofTeam } from '../sceneInputs.ts'

const nowhere = { latitude: null, longitude: null, speedKmh: null, accuracyM: null }

/** Calls about sessions, their laps, positions and messages. */
export const sessionRows: Rows = {
  'sessions.start': {
    input: s => ({ ...ofTeam(s), name: 'Stint 2' }),
    answers: { ...forEditors, driver: 'already-driving' },
  },
  'sessions.startPractice': { input: ofTeam, answers: forEditors },
  'sessions.practice': { input: ofTeam, answers: forReaders },
  'sessions.get': { input: ofSession, answers: forReaders },
  'sessions.listActive': { input: ofTeam, answers: forReaders },
  'sessions.listEnded': { input: ofTeam, answers: forReaders },
  'sessions.list': { input: ofTeam, answers: forReaders },
  'sessions.rename': { input: s => ({ ...ofSession(s), name: 'Renamed' }), answers: forEditors },
  'sessions.setLapTiming': {
    input: s => ({ ...ofSession(s), lapTiming: false }),
    answers: forEditors,
  },
  'sessions.setDataLink': {
    input: s => ({ ...ofSession(s), dataLink: false }),
    answers: forEditors,
  },
  'sessions.setLapReference': {
    input: s => ({ ...ofSession(s), lapReference: 'best', targetLapMs: null }),
    answers: forEditors,
  },
  'sessions.end': { input: ofSession, answers: { ...forDriver, viewer: 'view-only' } },
  'sessions.storeFixes': {
    input: s => ({ ...ofSession(s), fixes: [{ ...nowhere, at: Date.now() }] }),
    answers: forDriver,
  },
  'sessions.deletePositions': { input: ofSession, answers: forDriver },
  'sessions.reportPhoneState': {
    input: s => ({ ...ofSession(s), phone: phoneState }),
    answers: forDriver,
  },
  'sessions.setExpiry': {
    input: s => ({ ...ofSession(s), expireAfterS: 60 }),
    answers: forEditors,
  },
  'glass.set': { input: s => ({ ...ofSession(s), parts: ['flag'] }), answers: forEditors },
  'glass.log': { input: ofSession, answers: forReaders },
  'laps.list': { input: ofSession, answers: forReaders },
  'laps.timeAgain': { input: ofSession, answers: forEditors },
  // The session has no laps.
  'laps.mark': {
    input: s => ({ ...ofSession(s), at: Date.now(), marked: true }),
    answers: editorsGet('not-found'),
  },
  'positions.list': { input: ofSession, answers: forReaders },
  'messages.log': { input: ofSession, answers: forReaders },
  'messages.set': {
    input: s => ({ ...ofSession(s), type: 'Pit', commandId: randomUUID() }),
    answers: forEditors,
  },
  // The driver has reported nothing.
  'messages.gotIt': {
    input: s => ({ ...ofSession(s), answerId: randomUUID() }),
    answers: editorsGet('not-found'),
  },
}
