import { noMessage } from '#client/channel/messageState.ts'
import type { Session } from '#contract/sessions.ts'

/** A session of user `u1` that has just started. A test changes the fields that it is about. */
export const exampleSession: Session = {
  id: 's1',
  teamId: 't1',
  name: 'Friday practice 1',
  status: 'Active',
  driver: { id: 'u1', firstName: 'Marta', lastName: 'Lindqvist', email: null },
  car: null,
  currentDriver: null,
  startedAt: 0,
  message: noMessage,
  speedKmh: null,
  latitude: null,
  longitude: null,
  lastDriverContactAt: null,
  phone: null,
  expireAfterS: null,
  lapTiming: true,
  dataLink: true,
  lapReference: 'average',
  targetLapMs: null,
  imported: false,
}
