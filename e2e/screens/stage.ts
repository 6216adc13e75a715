import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import type { SessionId } from '#contract/ids.ts'
import type { Message, MessageType } from '#contract/messages.ts'
import type { Session } from '#contract/sessions.ts'
import { spaFrancorchamps } from '#contract/shared/circuits/spa-francorchamps.ts'
import type { BuiltServer } from '#testing/builtServer.ts'
import { addPasskey } from '#testing/people/addPasskey.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import { createPerson, type Person } from '#testing/people/person.ts'
import { startQuickServer } from '#testing/quickServer.ts'
import { PagePool } from '../pagePool.ts'

/** The user of a screen, not the role of a viewer: nobody signed in, a member, a driver, or a user without a team. */
export type Viewer = 'guest' | 'marta' | 'theo' | 'ines'

export type Stage = Awaited<ReturnType<typeof setStage>>
export type OwnStage = Awaited<ReturnType<typeof openStage>>

/** Marta is a support agent too. Nobody presses the Google button. */
export const stageSettings = {
  SUPPORT_BUILTIN: '1',
  SUPPORT_ADMINS: 'marta@northline.example',
  GOOGLE_CLIENT_ID: 'pitboard',
  GOOGLE_CLIENT_SECRET: 'secret',
}

const pageOptions = {
  viewport: { width: 390, height: 844 },
  locale: 'en-GB',
  serviceWorkers: 'block',
  reducedMotion: 'reduce',
} satisfies BrowserContextOptions

const startOfKemmel = spaFrancorchamps.outline[30] ?? spaFrancorchamps.startFinish

/** A position on the track at Spa, at racing speed. */
export const onTrack: Place = {
  ...startOfKemmel,
  speedKmh: 187,
}

/** The ids of the team's members. */
export async function membersOf({ people, team }: Stage): Promise<string[]> {
  const members = await people.marta.call.teams.members({ teamId: team.id })
  return members.map(({ id }) => id)
}

/** Creates a team of five with sessions, and viewers. */
export async function setStage(
  { url, mails }: Pick<BuiltServer, 'url' | 'mails'>,
  browser: Browser,
) {
  const person = (firstName: string, lastName: string, email: string) =>
    createPerson(url, mails, { firstName, lastName, email: `${email}@northline.example` })
  const marta = await person('Marta', 'Lindqvist', 'marta')
  await addPasskey(marta, url)
  const theo = await person('Théo', 'Garnier', 'theo.garnier')
  const noor = await person('Noor', 'Haddad', 'noor')
  const ines = await person('Ines', 'Okonkwo', 'ines.okonkwo')

  const team = await createTeam(marta, [theo, noor])
  await marta.call.teams.create({ name: 'Kestrel Endurance' })
  const quietTeam = await marta.call.teams.create({ name: 'Saltmarsh Karting' })
  await marta.call.teams.invite({
    teamId: team.id,
    firstName: 'Maximiliane Josephine',
    lastName: 'Wojciechowska-Baumgartner',
    email: 'maximiliane.josephine.wojciechowska-baumgartner@northline.example',
  })
  await marta.call.teams.invite({ teamId: quietTeam.id, ...theo.details })
  await noor.call.sessions.start({ teamId: team.id, name: 'Shakedown' })

  const pages = new PagePool(browser)
  let page: Page | null = null
  let session: Session | null = null
  let phone: Disposable | null = null
  let sessionsStarted = 0
  /** Closes the page and disconnects the phone, which would otherwise use the processor beside the next tests. */
  async function leave() {
    phone?.[Symbol.dispose]()
    phone = null
    if (page) await pages.give(page)
    page = null
  }
  return {
    url,
    team,
    /** A team without a session. */
    quietTeam,
    people: { marta, theo, ines },
    /** Number of sessions that Théo has started: a login may start 120 per hour. */
    get sessionsStarted() {
      return sessionsStarted
    },
    /** The session that was started last. */
    get session(): Session {
      if (!session) throw new Error('No session was started')
      return session
    },
    /** Opens a page for this viewer and closes the previous one. */
    async pageOf(viewer: Viewer) {
      if (page) await pages.give(page)
      page = await pages.take({ ...pageOptions, baseURL: url })
      const jar = viewer === 'guest' ? null : { marta, theo, ines }[viewer].jar
      if (jar) await page.context().addCookies(jar.cookiesFor(url))
      return page
    },
    /** Starts a session of Théo's and ends his previous one. */
    async startSession(name = 'Friday practice 1', carId?: string) {
      phone?.[Symbol.dispose]()
      phone = null
      if (session) await theo.call.sessions.end({ sessionId: session.id })
      session = await theo.call.sessions.start({ teamId: team.id, name, carId })
      sessionsStarted += 1
      return session
    },
    /** Sends a message of Marta's to a session, by default the one that was started last. */
    send(type: MessageType, to?: { sessionId?: SessionId; ask?: boolean }) {
      const commandId = crypto.randomUUID()
      return marta.call.messages.set({ sessionId: session?.id ?? '', type, commandId, ...to })
    },
    /** Connects a phone in Théo's car, until the next session. */
    async phone({ id }: Session, behaviour: PhoneBehaviour, at?: Partial<Place>) {
      phone?.[Symbol.dispose]()
      phone = await startPhone(theo, id, behaviour, { ...onTrack, ...at })
    },
    /** Disconnects the phone. */
    disconnectPhone() {
      phone?.[Symbol.dispose]()
      phone = null
    },
    leave,
    async [Symbol.asyncDispose]() {
      await leave()
      await pages.close()
      for (const each of [marta, theo, noor, ines]) each[Symbol.dispose]()
    },
  }
}

/** Starts a server with a stage of its own. */
export async function openStage(browser: Browser) {
  const server = await startQuickServer({ settings: stageSettings })
  const stage = await setStage(server, browser)
  return {
    server,
    stage,
    async close() {
      await stage[Symbol.asyncDispose]()
      await server.stop()
    },
  }
}

/** The last receipt that a phone sends for a message: none, reached, shown or copied. */
export type PhoneBehaviour = 'ignores' | 'reaches' | 'shows' | 'copies'

/** Position and speed of the car, null if unknown. */
interface Place {
  latitude: number | null
  longitude: number | null
  speedKmh: number | null
}

/** How long this phone takes to paint a message. */
const paintMs = 200

/**
 * A driver's phone without a page: it sends a fix each second, so that the driver is online, and receipts
 * as its behaviour defines.
 */
async function startPhone(
  driver: Person,
  session: SessionId,
  behaviour: PhoneBehaviour,
  { latitude, longitude, speedKmh }: Place,
): Promise<Disposable> {
  const connection = await driver.connect()
  // A message sent before the server has accepted the phone would be in the snapshot, not an event.
  await connection.drive(session)
  const report = () =>
    connection.send({ t: 'fix', at: Date.now(), la: latitude, lo: longitude, v: speedKmh, ac: 4 })
  report()
  const ticking = setInterval(report, 1000)

  function sendReceipts({ version, pressedAt }: Message) {
    const at = (pressedAt ?? Date.now()) + paintMs
    if (behaviour === 'ignores') return
    connection.send({ t: 'receipt', version, stage: 'reached', at })
    if (behaviour === 'reaches') return
    connection.send({ t: 'receipt', version, stage: 'shown', at })
    if (behaviour === 'copies')
      connection.send({ t: 'receipt', version, stage: 'copied', at: at + 1000 })
  }
  let answered = 0
  // The phone receives other frames too, and a message must be answered once.
  connection.socket.on('message', () => {
    const messages = connection.received('message').slice(answered)
    answered += messages.length
    for (const { message } of messages) sendReceipts(message)
  })
  return {
    [Symbol.dispose]() {
      clearInterval(ticking)
      connection.close()
    },
  }
}
