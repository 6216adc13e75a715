import { randomUUID } from 'node:crypto'
import { phoneState } from '../../live/liveScene.ts'
import { editorsGet, forDriver, forEditors, forReaders, type Rows } from '../answers.ts'

const nowhere = { latitude: null, longitude: null, speedKmh: null, accuracyM: null }

/** Calls about sessions, their laps, positions and messages. */
export const sessionRows: Rows = {
  'sessions.start': {
    input: { name: 'Stint 2' },
    answers: { ...forEditors, driver: 'already-driving' },
  },
  'sessions.startPractice': forEditors,
  'sessions.practice': forReaders,
  'sessions.get': forReaders,
  'sessions.listActive': forReaders,
  'sessions.listEnded': forReaders,
  'sessions.list': forReaders,
  'sessions.rename': { input: { name: 'Renamed' }, answers: forEditors },
  'sessions.setLapTiming': { input: { lapTiming: false }, answers: forEditors },
  'sessions.setDataLink': { input: { dataLink: false }, answers: forEditors },
  'sessions.dataLinkLog': forReaders,
  'sessions.setLapReference': {
    input: { lapReference: 'best', targetLapMs: null },
    answers: forEditors,
  },
  'sessions.end': { ...forDriver, viewer: 'view-only' },
  'sessions.storeFixes': {
    input: () => ({ fixes: [{ ...nowhere, at: Date.now() }] }),
    answers: forDriver,
  },
  'sessions.deletePositions': forDriver,
  'sessions.reportPhoneState': { input: { phone: phoneState }, answers: forDriver },
  'sessions.setExpiry': { input: { expireAfterS: 60 }, answers: forEditors },
  'glass.set': { input: { parts: ['flag'] }, answers: forEditors },
  'glass.log': forReaders,
  'laps.list': forReaders,
  'laps.timeAgain': forEditors,
  // The session has no laps.
  'laps.mark': {
    input: () => ({ at: Date.now(), marked: true }),
    answers: editorsGet('not-found'),
  },
  'positions.list': forReaders,
  'messages.log': forReaders,
  'messages.set': { input: () => ({ type: 'Pit', commandId: randomUUID() }), answers: forEditors },
  // The driver has reported nothing.
  'messages.gotIt': { input: () => ({ answerId: randomUUID() }), answers: editorsGet('not-found') },
}
