import { answerKinds, isAskable, knownTypes } from '#contract/shared/messageTypes.ts'
import type { Device } from './device.ts'
import type { DriverScreen } from './driverScreen.ts'
import { goodQuality } from './network.ts'
import { ownWord } from './people.ts'
import type { Random } from './random.ts'
import type { World } from './world.ts'

/** The relative frequency of each event. */
const weights = {
  press: 30,
  tap: 14,
  answer: 16,
  retryPress: 6,
  reloadPhone: 5,
  reloadLaptop: 2,
  freezePage: 4,
  hidePage: 5,
  sleep: 3,
  setClock: 2,
  deadZone: 7,
  poorNetwork: 6,
  lostResponses: 3,
  duplicateCalls: 2,
  resetConnections: 5,
  silentLoss: 3,
  congestion: 2,
  networkChange: 2,
  storageFails: 1,
  gpsLost: 2,
  deletePositions: 1,
  secondScreen: 3,
  takeOver: 2,
  killNode: 4,
  databaseAway: 2,
  busAway: 2,
} as const

export type EventKind = keyof typeof weights | 'leaveTeam' | 'endSession'

export interface ScheduledEvent {
  readonly atMs: number
  readonly kind: EventKind
}

/** Deliberate actions of people; all other events are accidents. */
export const actions: readonly EventKind[] = [
  'press',
  'tap',
  'answer',
  'retryPress',
  'takeOver',
  'deletePositions',
  'leaveTeam',
  'endSession',
]

/** Minimum number of events per schedule. */
export const minEvents = 30

/** Generates the events of one schedule in order of time: accidents and people's actions together. */
export function makeSchedule(random: Random, hasBus: boolean): ScheduledEvent[] {
  // Without a bus its outage would have no effect.
  const possible = hasBus ? weights : { ...weights, busAway: 0 }
  const lengthMs = random.between(25_000, 75_000)
  const events = Array.from({ length: random.whole(minEvents, 60) }, () => ({
    atMs: random.between(500, lengthMs),
    kind: random.weighted<EventKind & keyof typeof weights>(possible) as EventKind,
  }))
  // At most once and near the end, because little happens afterwards.
  if (random.chance(0.12)) events.push({ atMs: lengthMs * 0.8, kind: 'leaveTeam' })
  if (random.chance(0.06)) events.push({ atMs: lengthMs * 0.9, kind: 'endSession' })
  return events.sort((a, b) => a.atMs - b.atMs)
}

/** Runs one event. What it breaks is repaired after a while, or by `repairAll`. */
export function applyEvent(world: World, { kind }: ScheduledEvent, random: Random) {
  world.record.count(`event ${kind}`)
  const detail = act(world, kind, random)
  world.trace('event', detail === undefined ? kind : `${kind} ${detail}`)
}

/** Ends all accidents. */
export async function repairAll(world: World) {
  world.database.recover()
  world.bus?.recover()
  for (const device of world.devices) {
    device.link.quality = goodQuality
    device.link.isCongested = false
    device.link.restore()
    device.storageFails = false
    device.receiverFails = false
    device.wake()
    device.signal('online')
    for (const page of device.pages) {
      page.unfreeze()
      page.setVisible(true)
    }
  }
  for (let index = 0; index < world.nodes.length; index++) {
    // A starting server may wait for a transaction of another one, which takes virtual time.
    await world.time.runUntilSettled(world.startNode(index))
  }
}

function act(world: World, kind: EventKind, random: Random): string | undefined {
  const phone = () => random.pick(world.screens.filter(({ page }) => page.isAlive)).settings.device
  const anyDevice = () =>
    random.chance(0.7)
      ? phone()
      : random.pick(world.devices.filter(({ pages }) => pages.length > 0))
  const forAWhile = (lowMs: number, highMs: number, repair: () => void) => {
    const ms = random.between(lowMs, highMs)
    world.time.after(ms, repair)
    return `for ${Math.round(ms)} ms`
  }
  switch (kind) {
    case 'press': {
      const type = random.chance(0.12) ? null : random.pick([...knownTypes, ownWord])
      const ask = isAskable(type) && random.chance(0.6)
      const member = random.pick(world.members)
      member.press(type, ask)
      return `${type}${ask ? '?' : ''} by ${member.name}`
    }
    case 'tap':
      return world.currentScreen()?.tap() as undefined
    case 'answer': {
      const kind = random.pick(answerKinds)
      world.currentScreen()?.answer(kind)
      return kind
    }
    case 'retryPress':
      for (const member of world.members) member.retryPress()
      return
    case 'reloadPhone':
      return reload(world, random)
    case 'reloadLaptop':
      return random.pick(world.members).reload(random.chance(0.2)) as undefined
    case 'freezePage': {
      const device = anyDevice()
      const page = random.pick(device.pages)
      page.freeze()
      return `${device.name} ${forAWhile(100, 12_000, () => page.unfreeze())}`
    }
    case 'hidePage': {
      const device = anyDevice()
      const page = random.pick(device.pages)
      page.setVisible(false)
      return `${device.name} ${forAWhile(200, 15_000, () => page.setVisible(true))}`
    }
    case 'sleep': {
      const device = phone()
      device.sleep()
      const cuts = random.chance(0.5)
      if (cuts) device.link.cut()
      return `${device.name} ${forAWhile(300, 25_000, () => {
        device.link.restore()
        device.wake()
      })}`
    }
    case 'setClock': {
      const device = anyDevice()
      const offsetMs = random.between(-600_000, 600_000)
      device.setWall(offsetMs)
      world.record.clockSets.push({ device: device.name, atMs: world.time.now })
      return `${device.name} ${Math.round(offsetMs)} ms`
    }
    case 'deadZone':
      return deadZone(anyDevice(), random, forAWhile)
    case 'poorNetwork': {
      const { link, name } = anyDevice()
      const low = random.between(50, 600)
      link.quality = { ...link.quality, latencyMs: [low, low * 4], loss: random.between(0, 0.3) }
      return `${name} ${forAWhile(2000, 20_000, () => {
        link.quality = goodQuality
      })}`
    }
    case 'lostResponses':
    case 'duplicateCalls': {
      const { link, name } = random.pick(world.devices)
      const what = kind === 'lostResponses' ? 'lostResponses' : 'duplicates'
      link.quality = { ...link.quality, [what]: 0.6 }
      return `${name} ${forAWhile(2000, 10_000, () => {
        link.quality = { ...link.quality, [what]: 0 }
      })}`
    }
    case 'resetConnections':
    case 'silentLoss': {
      const device = anyDevice()
      for (const page of device.pages) page.loseConnections(kind === 'silentLoss')
      return device.name
    }
    case 'congestion': {
      const { link, name } = anyDevice()
      link.isCongested = true
      return `${name} ${forAWhile(500, 8000, () => {
        link.isCongested = false
      })}`
    }
    case 'networkChange': {
      const device = anyDevice()
      for (const page of device.pages) page.loseConnections(true)
      device.signal('network')
      return device.name
    }
    case 'storageFails': {
      const device = phone()
      const { record, time } = world
      const outage = { device: device.name, fromMs: time.now, toMs: Number.POSITIVE_INFINITY }
      record.storageOutages.push(outage)
      device.storageFails = true
      return `${device.name} ${forAWhile(1000, 10_000, () => {
        device.storageFails = false
        outage.toMs = time.now
      })}`
    }
    case 'gpsLost': {
      const device = phone()
      device.receiverFails = true
      return `${device.name} ${forAWhile(1000, 10_000, () => {
        device.receiverFails = false
      })}`
    }
    case 'deletePositions':
      void world.deletePositions()
      return
    case 'secondScreen':
      return secondScreen(world, random)
    case 'takeOver':
      for (const screen of world.screens)
        if (screen.refused === 'driven-elsewhere' && screen.page.isAlive) {
          screen.takeOver()
          // A double tap: the second one hits the screen that the message is not painted on yet.
          screen.tap()
        }
      return
    case 'killNode': {
      const index = random.whole(0, world.nodes.length - 1)
      const isSilent = random.chance(0.3)
      world.killNode(index, isSilent)
      return `${index}${isSilent ? ' silently' : ''} ${forAWhile(300, 8000, () => void world.startNode(index))}`
    }
    case 'databaseAway': {
      const outage = random.pick(['refusing', 'hanging'] as const)
      world.database.fail(outage)
      return `${outage} ${forAWhile(500, 9000, () => world.database.recover())}`
    }
    case 'busAway':
      world.bus?.fail()
      return forAWhile(500, 9000, () => world.bus?.recover())
    case 'leaveTeam':
      void world.members[1]?.leave()
      return
    case 'endSession':
      void world.endSession()
      return
  }
}

function reload(world: World, random: Random): string {
  const screen: DriverScreen = random.pick(world.screens.filter(({ page }) => page.isAlive))
  const { device, tab } = screen.settings
  screen.end(random.chance(0.3))
  world.openDriver(device, tab)
  return device.name
}

/** Opens a second drive screen, on a tablet or in another tab of the phone, or closes it. */
function secondScreen(world: World, random: Random): string {
  const phone = world.screens[0]?.settings.device
  const second = world.screens.filter(
    ({ page, settings }) => page.isAlive && (settings.device !== phone || settings.tab !== 'first'),
  )
  for (const screen of second) screen.end(random.chance(0.3))
  if (second.length > 0) return 'closed'
  if (!phone || random.chance(0.5)) {
    world.openDriver(world.tablet())
    return 'opened on the tablet'
  }
  world.openDriver(phone, `tab ${world.screens.length}`)
  return 'opened in a tab of the phone'
}

function deadZone(
  device: Device,
  random: Random,
  forAWhile: (lowMs: number, highMs: number, repair: () => void) => string,
): string {
  device.link.cut()
  // Browsers often do not detect that the network is gone.
  const isDetected = random.chance(0.5)
  if (isDetected) device.signal('offline')
  return `${device.name} ${forAWhile(300, 25_000, () => {
    device.link.restore()
    if (isDetected) device.signal('online')
  })}`
}
