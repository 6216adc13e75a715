import type { Fix } from '#contract/positions.ts'
import { kmhPerMps } from '#contract/shared/fix.ts'
import { receiverNoise } from '../../drives.ts'
import type { Random } from '../random.ts'
import { garageOn } from './carTruth.ts'
import { type PersonIndex, people, type SwapDay } from './swapDay.ts'

/** A position of a phone, as it is uploaded for a session. */
export interface SentFix {
  readonly person: PersonIndex
  readonly sessionId: string
  readonly fix: Fix
  /** When the server receives it. */
  readonly arrivesAt: number
}

/** Standard deviation of a phone's error, which changes from fix to fix and over a minute. */
const whiteM = 0.8
const driftM = 1.5
const accuracyM = 4

/** A fix that is not delayed arrives so late. */
const latencyMs = 2000

/** Returns the positions of all phones of a day, in order of their time for each phone. */
export function sentFixes(day: SwapDay, random: Random): SentFix[] {
  return people.flatMap(person => fixesOf(day, person, random.fork(`phone ${person}`)))
}

function fixesOf(day: SwapDay, person: PersonIndex, random: Random): SentFix[] {
  const phaseMs = random.whole(0, 999)
  const sessions = day.sessions.filter(each => each.person === person)
  const deadZones = day.deadZones.filter(each => each.person === person)
  const noise = receiverNoise(random.next, { driftM, whiteM })
  const sent: SentFix[] = []
  for (const { place, isOn, from, to, person: owner } of day.stays) {
    if (owner !== person || !isOn) continue
    for (const { id: sessionId, startedAt, endedAt } of sessions) {
      const untilMs = Math.min(to, endedAt)
      const firstMs = Math.ceil(Math.max(from, startedAt) / 1000) * 1000 + phaseMs
      for (let at = firstMs; at < untilMs; at += 1000) {
        const zone = deadZones.find(each => each.from <= at && at < each.to)
        // A phone uploads all that it has before it ends its session.
        const arrivesAt = Math.min((zone?.uploadedAt ?? at) + latencyMs, endedAt - 1)
        sent.push({ person, sessionId, fix: fixAt(day, place, at, noise(at)), arrivesAt })
      }
    }
  }
  return sent.sort((a, b) => a.fix.at - b.fix.at)
}

type Stay = SwapDay['stays'][number]

function fixAt(
  { car, otherCar, circuit }: SwapDay,
  place: Stay['place'],
  at: number,
  noise: { readonly eastM: number; readonly northM: number },
): Fix {
  const garage = garageOn(circuit)
  const { plane } = garage
  const true_ = place === 'garage' ? null : (place === 'car' ? car : otherCar).at(at)
  const { eastM, northM } = true_ ? plane.toPoint(true_) : garage.point
  const position = plane.toPosition({ eastM: eastM + noise.eastM, northM: northM + noise.northM })
  const speedKmh = Math.round((true_?.speedMps ?? 0) * kmhPerMps)
  return { at, ...position, speedKmh, accuracyM }
}
