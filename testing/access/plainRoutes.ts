import { fileClient, formOf } from '../files/files.ts'
import { importRecording } from '../files/recordings.ts'
import type { CookieJar } from '../people/client.ts'
import { type Answers, forDriver, forEditors, forReaders, forSignedIn } from './answers.ts'
import type { Scene } from './sceneInputs.ts'

interface Caller {
  url: string
  jar: CookieJar
}

/** Files of a session's positions and laps. */
export const exportedFiles = [
  'positions.csv',
  'racechrono.csv',
  'track.gpx',
  'track.vbo',
  'laps.csv',
]

/** Routes with content other than JSON, which the contract's table does not contain. */
export const plainRoutes: Record<
  string,
  { call: (scene: Scene, caller: Caller) => Promise<Response>; answers: Answers }
> = {
  'reporting contact': { call: reportContact, answers: forDriver },
  'the log as CSV': {
    call: ({ sessionId }, caller) => get(caller, `sessions/${sessionId}/messages.csv`),
    answers: forReaders,
  },
  'a circuit as a file': {
    call: ({ teamId }, caller) => get(caller, `teams/${teamId}/circuits/zolder/gpx`),
    answers: forReaders,
  },
  ...Object.fromEntries(
    exportedFiles.map(name => [
      name,
      {
        call: ({ sessionId }: Scene, caller: Caller) =>
          get(caller, `sessions/${sessionId}/${name}`),
        answers: forReaders,
      },
    ]),
  ),
  'importing a recording': {
    call: ({ teamId }, { url, jar }) =>
      importRecording(url, jar, {
        teamId,
        name: 'Old race',
        file: 'utc_s,latitude_deg,longitude_deg\n1700000000,50,5\n1700000001,50,5.1\n',
      }),
    answers: forEditors,
  },
  'the export of an account': {
    call: (_scene, caller) => get(caller, 'export.zip'),
    answers: forSignedIn,
  },
  'files.upload': {
    call: ({ teamId }, { url, jar }) =>
      fileClient(url, jar).send(
        formOf({ teamId, name: 'setup.txt', file: Buffer.from('Camber -2.5') }),
      ),
    answers: forEditors,
  },
  'files.get': {
    call: ({ teamId }, { url, jar }) => fileClient(url, jar).get({ teamId, name: 'nothing.txt' }),
    answers: { ...forReaders, member: 'not-found', driver: 'not-found' },
  },
}

function get({ url, jar }: Caller, path: string): Promise<Response> {
  return fetch(`${url}/api/v1/${path}`, { headers: { cookie: jar.header } })
}

/** Reports 120 km/h at Spa, as a device without a live connection does. */
export async function reportContact(
  { sessionId }: Pick<Scene, 'sessionId'>,
  { url, jar }: Caller,
): Promise<Response> {
  jar.store(await fetch(`${url}/api/auth.login`, { headers: { cookie: jar.header } }))
  return fetch(`${url}/api/v1/sessions/${sessionId}/contact`, {
    method: 'POST',
    headers: {
      cookie: jar.header,
      'x-xsrf-token': jar.get('XSRF-TOKEN') ?? '',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ latitude: 50.4, longitude: 5.9, speedKmh: 120, accuracyM: 4 }),
  })
}
