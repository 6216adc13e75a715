import type { Page } from '@playwright/test'
import type { AnswerKind } from '#contract/answers.ts'
import type { Lap, LapTable } from '#contract/laps.ts'
import type { Car } from '#contract/roster.ts'
import type { Session } from '#contract/sessions.ts'
import { minuteMs } from '#contract/shared/durations.ts'
import type { LapKind } from '#contract/shared/lapKinds.ts'
import type { OfficialTiming } from '#contract/timing.ts'
import { exampleDrivers, exampleLap, exampleLaps, exampleRace } from '#testing/exampleRace.ts'
import { routeCall } from '../callRoutes.ts'
import { goOffline } from '../goOffline.ts'
import { changeFrames } from '../liveFrames.ts'
import { respondWith } from '../mockApi.ts'
import { raceOf, respondWithLaps } from '../raceAnswers.ts'
import { answer } from './answerStates.ts'
import { race as raceOfSixHours } from './fuelStates.ts'
import { showGlass } from './glassFrames.ts'
import { keepShown } from './keepShown.ts'
import { reportPhoneState } from './messageStates.ts'
import { officialTiming, timingByHand } from './officialTiming.ts'
import type { Stage } from './stage.ts'
import { asTheo, type State, watching } from './state.ts'
import { phoneOf, wallPhoneStates } from './twoPhones.ts'
import { visit } from './visit.ts'
import { ownWords, sendWord } from './wordStates.ts'

export const wallStates: readonly State[] = [
  watching('wall', async (page, stage) => {
    const session = await stage.startSession('Zolder 6 hours')
    await stage.phone(session, 'copies')
    await stage.send('Push')
    await page.goto(`/teams/${stage.team.id}/wall`)
    await page.getByRole('article').getByText('Copied after').waitFor()
  }),
  watching('wall-gaps', async (page, stage) => {
    const session = await stage.startSession('Zolder 6 hours')
    const startedAt = Date.now() - 10 * lapMs
    const whole = (count: number) => Array.from({ length: count }, () => ['full', 112.4] as const)
    const own = lapsFrom(startedAt, ['out', 40], ...whole(8))
    // Between two and three laps without reception.
    const hidden = [
      ['incomplete', 30],
      ['gap', 217],
      ['out', 25],
    ] as const
    const others = lapsFrom(startedAt, ['out', 31.7], ...whole(3), ...hidden, ...whole(3))
    await respondWithLaps(page, id => (id === session.id ? own : others))
    await page.goto(`/teams/${stage.team.id}/wall`)
    // Gaps are shown from 1024 px on.
    await page.getByText('Estimated').first().waitFor({ state: 'attached' })
  }),
  watching('message-to-all', { shows: 'Send to all 3 cars' }, async (page, stage) => {
    await openCars(page, stage, 3, { hasReports: true })
    const { teamId, id } = stage.session
    await visit(page, `/teams/${teamId}/${id}/message`)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('button', { name: 'All 3 cars' }).click()
  }),
  ...[1, 2, 3, 4, 5, 9, 10].map(count =>
    watching(`wall-cars${count}`, (page, stage) => openCars(page, stage, count)),
  ),
  ...[3, 9].map(count =>
    watching(`wall-flag${count}`, async (page, stage) => {
      await showGlass(page, { flag: 'Yellow', tookMs: 900 })
      await openCars(page, stage, count, { timing: officialTiming })
      await page.getByText('Yellow shown 0.9 s').first().waitFor({ state: 'attached' })
    }),
  ),
  ...[3, 10].map(count =>
    watching(`wall-swap-cars${count}`, (page, stage) =>
      openCars(page, stage, count, { hasTwoPhones: true }),
    ),
  ),
  ...[1, 2, 3, 4, 5, 10].map(count =>
    watching(`wall-uncopied-cars${count}`, (page, stage) =>
      openCars(page, stage, count, { sentMsAgo: 50_000 }),
    ),
  ),
  watching('wall-uncopied-swap', (page, stage) =>
    openCars(page, stage, 3, { sentMsAgo: 50_000, hasTwoPhones: true }),
  ),
  watching('wall-uncopied-big', (page, stage) =>
    openCars(page, stage, 3, { sentMsAgo: 50_000, query: '?big' }),
  ),
  watching('wall-stop-cars3', (page, stage) => openCars(page, stage, 3, { isInPits: true })),
  watching('wall-stop-links-off', (page, stage) =>
    openCars(page, stage, 3, { isInPits: true, hasLinksOff: true }),
  ),
  watching('wall-stop-cars5', (page, stage) => openCars(page, stage, 5, { isInPits: true })),
  ...[1, 3, 4, 5].map(count =>
    watching(`wall-stop-done-cars${count}`, (page, stage) =>
      openCars(page, stage, count, { isInPits: true, minStopMs: 60_000 }),
    ),
  ),
  ...[1, 2, 4, 5, 10].map(count =>
    watching(`wall-stop-order-cars${count}`, (page, stage) =>
      openCars(page, stage, count, { isInPits: true, below: 'order' }),
    ),
  ),
  ...[2, 4, 5, 10].map(count =>
    watching(`wall-stop-problem-cars${count}`, (page, stage) =>
      openCars(page, stage, count, { isInPits: true, below: 'problem' }),
    ),
  ),
  ...[1, 3, 4].map(count =>
    watching(`wall-reports-cars${count}`, (page, stage) =>
      openCars(page, stage, count, { hasReports: true }),
    ),
  ),
  watching('wall-hand', async (page, stage) => {
    await showGlass(page, { flag: 'Yellow', tookMs: 900, byHand: 'Sam Tester' })
    await openCars(page, stage, 3, { timing: timingByHand })
    await page.getByText('3 of 3 cars').waitFor({ state: 'attached' })
  }),
  watching('wall-flag-missing', async (page, stage) => {
    await showGlass(page, { flag: 'Yellow', tookMs: null })
    await openCars(page, stage, 3, { timing: officialTiming })
    await page.getByText('Yellow not shown').first().waitFor({ state: 'attached' })
  }),
  watching('wall-flag-failed', (page, stage) =>
    openCars(page, stage, 3, {
      timing: { ...officialTiming, failure: 'unreachable', silentForMs: 74_000 },
    }),
  ),
  watching('wall-flag-recorded', (page, stage) => {
    const id = '5275a360-c5d8-4a2e-bc67-4d0895d09d36'
    const source = { kind: 'recorded' as const, id, speed: 10 }
    return openCars(page, stage, 3, { timing: { ...officialTiming, source } })
  }),
  watching('wall-flag-unknown', (page, stage) =>
    openCars(page, stage, 1, { timing: { ...officialTiming, silentForMs: 42_000 } }),
  ),
  watching('wall-empty', async (page, stage) => {
    await listSessions(page, [])
    await page.goto(`/teams/${stage.team.id}/wall`)
    await page.getByRole('heading', { name: 'No car is driving' }).waitFor()
  }),
  watching('wall-next-race', async (page, stage) => {
    await listSessions(page, [])
    const race = exampleRace({ name: 'Zolder evening', startsAt: Date.now() + 5 * minuteMs })
    await respondWith(page, 'races.list', [race])
    await page.goto(`/teams/${stage.team.id}/wall`)
    await page.getByText('Zolder evening starts at').waitFor()
  }),
  watching('wall-offline', { shows: 'This wall is offline' }, async (page, stage) => {
    await openCars(page, stage, 3)
    await goOffline(page)
  }),
  watching('wall-timing-stopped', { shows: 'Timing stopped' }, async (page, stage) => {
    await stage.startSession('Zolder 6 hours')
    const laps = lapsFrom(Date.now() - 4 * lapMs, ['out', 40], ['full', 112.4], ['full', 112.6])
    await respondWithLaps(page, () => ({ ...laps, stopped: 'too-many-laps' }))
    await page.goto(`/teams/${stage.team.id}/wall`)
  }),
  asTheo('wall-link-off', async (page, stage) => {
    const session = await stage.startSession('Zolder 6 hours')
    await stage.people.theo.call.sessions.setDataLink({ sessionId: session.id, dataLink: false })
    await page.goto(`/teams/${stage.team.id}/wall`)
    await page.getByRole('article').getByText('Data link off').waitFor()
    // The keys act on narrow screens too, which show no button to choose a car.
    await page.keyboard.press('2')
    await page.locator('[aria-current]', { hasText: 'Garnier' }).waitFor()
  }),
  watching('wall-links-off-cars3', { shows: 'Data link off' }, (page, stage) =>
    openCars(page, stage, 3, { hasLinksOff: true }),
  ),
  watching('wall-phone-fault', { shows: 'screen may go dark' }, async (page, stage) => {
    const session = await stage.startSession('Zolder 6 hours')
    await stage.phone(session, 'shows')
    await reportPhoneState(stage, session, { problems: ['awake'] })
    await page.goto(`/teams/${stage.team.id}/wall`)
  }),
  watching('wall-more', async (page, stage) => {
    await respondWith(page, 'words.list', ownWords)
    await stage.startSession('Zolder 6 hours')
    await page.goto(`/teams/${stage.team.id}/wall`)
    await page.getByRole('article').first().waitFor()
    await page.keyboard.press('Shift+M')
    await page.getByRole('dialog').getByRole('button', { name: 'BOX 2' }).waitFor()
  }),
  watching('wall-code60', async (page, stage) => {
    const session = await stage.startSession('Zolder 6 hours')
    await stage.phone(session, 'shows')
    await stage.send('Code 60')
    await page.goto(`/teams/${stage.team.id}/wall`)
    await page.getByRole('article').getByText('Shown after').waitFor()
  }),
  watching('wall-problem', async (page, stage) => {
    const session = await stage.startSession('Zolder 6 hours')
    await reportProblem(stage, session, ['Problem', 'PitThisLap'])
    await stage.send('Pit')
    await page.goto(`/teams/${stage.team.id}/wall`)
    await page.getByRole('article').getByText('PROBLEM').waitFor()
  }),
  watching('wall-problem-chosen', { from: 'wall-problem' }, async page => {
    // Cars of other states on the same server have digits, too.
    const digit = await page.locator('[data-lane][data-problem] kbd').first().textContent()
    await page.keyboard.press(digit ?? '')
    await page.locator('[aria-current] [data-problem]').waitFor()
  }),
  watching('wall-problem-got', { from: 'wall-problem-chosen' }, async page => {
    await page.keyboard.press('k')
    await page
      .getByText(/Marta has it/)
      .first()
      .waitFor()
  }),
  watching('wall-taken-back', async (page, stage) => {
    const session = await stage.startSession('Zolder 6 hours')
    await stage.phone(session, 'copies')
    await sendWord(stage, ownWords[0]!)
    await reportProblem(stage, session, ['Problem', 'TakenBack'])
    await page.goto(`/teams/${stage.team.id}/wall`)
    await page.getByRole('article').getByText('PROBLEM TAKEN BACK', { exact: true }).waitFor()
  }),
  watching('wall-answered', async (page, stage) => {
    const session = await stage.startSession('Zolder 6 hours')
    await stage.phone(session, 'shows')
    await stage.send('Push', { ask: true })
    await answer(stage, session, 'Yes')
    await page.goto(`/teams/${stage.team.id}/wall`)
    await page.getByText('On the glass: laps').waitFor()
  }),
  ...wallPhoneStates,
  watching('wall-all', async (page, stage) => {
    await keepShown(page, 5000)
    await openCars(page, stage, 3)
    await page.keyboard.press('0')
    await page.getByText('CLEAR ends FCY').waitFor({ state: 'attached' })
  }),
  watching('wall-no-car', async (page, stage) => {
    await keepShown(page, 5000)
    await openCars(page, stage, 3)
    await page.keyboard.press('8')
    await page.getByText('No car is 8').waitFor()
  }),
  watching('wall-help', { from: 'wall' }, async page => {
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
  }),
]

const lapMs = 112_400

interface Opened {
  timing?: OfficialTiming
  /** The first car is in the pits. */
  isInPits?: boolean
  /** The data links of the others are off. */
  hasLinksOff?: boolean
  /** The minimum of its stop, which began 95 s ago. */
  minStopMs?: number
  /** The message or problem that replaces that stop, which becomes a strip. */
  below?: 'order' | 'problem'
  /** Two phones of the first car are addressed, as after a swap. */
  hasTwoPhones?: boolean
  /** The driver of the first car reports PROBLEM, which a member has got, and PIT THIS LAP. */
  hasReports?: boolean
  /** How long ago the messages were sent. */
  sentMsAgo?: number
  query?: string
  /** The race and laps of each car. */
  driven?: ReturnType<typeof raceOfSixHours>
}

/** Opens the wall with this many cars in a race, one of them with a long name. */
export async function openCars(
  page: Page,
  stage: Stage,
  count: number,
  {
    timing,
    isInPits = false,
    hasLinksOff = false,
    below,
    hasTwoPhones,
    hasReports,
    query = '',
    sentMsAgo = 5000,
    driven,
    minStopMs = 180_000,
  }: Opened = {},
) {
  const session = await stage.startSession('Zolder 6 hours')
  const keepsFirst = !!(below || hasReports)
  const cars = sessionsInCars(session, count, { isInPits, hasLinksOff, keepsFirst, sentMsAgo })
  const [first] = cars
  if (hasTwoPhones && first) {
    const driver = { ...session.driver, firstName: 'Ruth', lastName: 'Brandenburg' }
    const message = { ...first.message, carriedOver: true as const }
    cars.push({ ...first, id: crypto.randomUUID(), driver, message })
  }
  await listSessions(page, cars)
  const { entries, table } = driven ?? raceOfSixHours()
  await routeCall(page, 'laps.list', route => route.fulfill({ json: table }))
  if (timing) await respondWith(page, 'timing.ofRace', timing)
  await routeCall(page, 'carRaces.ofSession', route => {
    const id = route.url.searchParams.get('sessionId') ?? ''
    const index = cars.findIndex(each => each.id === id)
    const car = cars[index]?.car ?? null
    const stops = { kind: 'count' as const, count: 5 }
    // The second car comes in soon, the third one drives for hours.
    const minutes = [70, 44, 180][index % 5] ?? 70
    const rules = { stops, maxStintMs: minutes * minuteMs }
    const inRace = entries.race && { ...entries.race, rules: { ...entries.race.rules, ...rules } }
    const official = timing && {
      car: { ...entries.car, ...car } as Car,
      race: inRace,
      ...withFlag,
    }
    const startedAt = Date.now() - 95_000
    const visit = { startedAt, endedAt: null, stoppedAt: startedAt + 15_000, leftAt: null }
    const minStop = { ms: minStopMs, counts: 'lane' as const, onlyWithFuel: false }
    const drivers = exampleDrivers(['Marta Lindqvist', 'Noor Haddad'], 11)
    const driverIds = drivers.map(each => each.id)
    const inStop = isInPits &&
      id === cars[0]?.id && {
        phone: { ...entries.phone, visits: [visit] },
        drivers,
        ...(below && { plan: { driverIds, stopMs: null, lapMs: null, stints: [] } }),
        ...(inRace && { race: { ...inRace, rules: { ...inRace.rules, minStop } } }),
      }
    const json = raceOf(id, { ...entries, ...(inRace && { race: inRace }), ...official, ...inStop })
    const both = hasTwoPhones ? cars.filter(each => each.car?.id === first?.car?.id) : []
    if (!both.some(each => each.id === id)) return route.fulfill({ json })
    const phones = both.map(each => phoneOf(each, { laps: json.phones[0]?.laps ?? [] }))
    return route.fulfill({ json: { ...json, phones, runs: [] } })
  })
  if (below) await stage.send('Fuel')
  if (below === 'problem') await reportProblem(stage, session)
  if (hasReports) {
    await (count < 4 ? stage.send('Abort') : sendWord(stage, ownWords[0]!))
    await reportProblem(stage, session, ['Problem', 'PitThisLap'])
  }
  await page.goto(`/teams/${stage.team.id}/wall${query}`)
  const lanes = page.getByRole('article')
  await lanes.nth(count - 1).waitFor()
  if (hasReports) {
    await page.getByRole('button', { name: /^Got it/ }).click()
    await lanes.getByText('PIT THIS LAP').waitFor()
  }
  if (below) {
    await page.getByRole('region', { name: 'Pit stop' }).waitFor()
    await page.getByRole('region', { name: 'Driver change?' }).waitFor()
    const replacing = lanes.getByText(below === 'order' ? 'Sent' : 'PROBLEM')
    await replacing.first().waitFor()
  } else await lanes.filter({ hasText: '1:52' }).first().waitFor()
}

/** Returns sessions like this one, each in a car with a message. With `keepsFirst` the first one is this session. */
function sessionsInCars(
  session: Session,
  count: number,
  {
    isInPits,
    hasLinksOff,
    keepsFirst,
    sentMsAgo,
  }: { isInPits: boolean; hasLinksOff: boolean; keepsFirst: boolean; sentMsAgo: number },
): Session[] {
  const drivers = ['Ana Winter', 'Théo Garnier', 'Leo Sommer', 'Jan Vandenbroucke', 'Mia Adler']
  return Array.from({ length: count }, (_, index) => {
    const id = keepsFirst && index === 0 ? session.id : crypto.randomUUID()
    const [firstName = '', lastName = ''] = (drivers[index % drivers.length] ?? '').split(' ')
    const driver = { ...session.driver, firstName, lastName }
    const car = {
      id: crypto.randomUUID(),
      number: ['17', '44', '107B', '8', '23'][index % 5] ?? '',
    }
    const sentAt = Date.now() - sentMsAgo - index
    const message = {
      ...session.message,
      version: 1,
      type:
        isInPits && index === 0 ? null : (['FCY', 'FCY', 'FCY', 'Push', null][index % 5] ?? null),
      sentAt,
      pressedAt: sentAt,
      shownAt: index === 2 ? null : sentAt + 200,
    }
    const isOff = index === 4 || (hasLinksOff && index > 0)
    return {
      ...session,
      id,
      driver,
      car,
      message,
      dataLink: !isOff,
      ...(isOff && { dataLinkOff: { at: sentAt, by: 'Sam' } }),
      // It stays online while it is shown.
      lastDriverContactAt: Date.now() + 10 * minuteMs,
    }
  })
}

/** The active sessions of the team, in answers and in the snapshot of its room. */
async function listSessions(page: Page, sessions: readonly Session[]) {
  await respondWith(page, 'sessions.listActive', sessions)
  await changeFrames(
    page,
    (text, listed) =>
      text.includes('"of":"team"')
        ? JSON.stringify(JSON.parse(text, (key, value) => (key === 'sessions' ? listed : value)))
        : text,
    sessions,
  )
}

async function reportProblem(
  stage: Stage,
  session: Session,
  kinds: readonly AnswerKind[] = ['Problem'],
) {
  const phone = await (await stage.people.theo.connect()).drive(session.id)
  for (const kind of kinds) {
    const id = crypto.randomUUID()
    phone.send({ t: 'answer', id, kind, version: 0, at: Date.now() })
    await phone.next('answer')
  }
  phone.close()
}

const withFlag = { officialTiming: true, glass: ['flag' as const] }

/** Laps in order of time, in seconds, and gaps between them. */
function lapsFrom(
  startMs: number,
  ...parts: readonly (readonly [LapKind | 'gap', number])[]
): LapTable {
  let startedAt = startMs
  const laps: Lap[] = []
  for (const [kind, seconds] of parts) {
    const timeMs = Math.round(seconds * 1000)
    if (kind !== 'gap') laps.push(exampleLap(laps.length, { startedAt, timeMs, kind }))
    startedAt += timeMs
  }
  return exampleLaps(laps)
}
