import { ChevronDown, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { PlanChange } from '#contract/races.ts'
import { greatestOf } from '#contract/shared/extremes.ts'
import { driverQuestion, isUnconfirmed } from '#racing/race/driverQuestion.ts'
import type { CalledBy } from '#racing/race/pitOrders.ts'
import type { MadeVisit, PlanSheet, SheetStint } from '#racing/race/planSheet.ts'
import type { LaidStint } from '#racing/race/planTypes.ts'
import { isUnnamed, lastWord } from '#web/race/driverName.ts'
import { shortStop } from '#web/race/shortStop.ts'
import { hoursAndMinutes } from '#web/race/timeOfDay.ts'
import { fuelText } from '#web/text/fuel.ts'
import { pitExitText } from '#web/text/pitExit.ts'
import { planText } from '#web/text/plan.ts'
import { rosterText } from '#web/text/roster.ts'
import { stintsText } from '#web/text/stints.ts'
import { Button } from '#web/ui/Button.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { durationText, litresText, stopText } from './fieldTimes.ts'
import planStyles from './Plan.module.css'
import styles from './PlanTable.module.css'
import { brokenText, plannedDriverName, plateOf, raceTime, type ShownPlan } from './planNames.ts'
import { endText } from './planSentence.ts'

/** Length of an added stint. */
const addedMs = 30 * 60_000

/** From this many stints on, those far from now are folded: the bars show them all. */
const manyStints = 20
const shownBefore = 1
const shownAfter = 8

interface Props extends ShownPlan {
  sheet: PlanSheet
  /** Sender of the PIT that ended a stint, by the number of the stint. */
  called: ReadonlyMap<number, CalledBy>
  /** Null: the user can only watch. */
  onChange: ((change: PlanChange) => void) | null
}

/** The stints of a plan and the stops that were made, with what ends each stint. */
export function PlanTable({ sheet, called, onChange, ...shown }: Props) {
  const { request } = shown
  const last = sheet.stints.at(-1)
  const firstOpen = sheet.stints.find(({ state }) => state !== 'driven')
  const isMoved = request.fixed.some(({ number }) => number >= (firstOpen?.number ?? 1))
  const isMany = sheet.stints.length >= manyStints
  const openAt = firstOpen ? firstOpen.number - 1 : sheet.stints.length
  const fromAt = isMany ? Math.max(0, openAt - shownBefore) : 0
  const toAt = isMany ? openAt + shownAfter : sheet.stints.length
  const rowsOf = (stints: readonly SheetStint[]) =>
    stints.map(stint => [
      <StintRow
        key={stint.number}
        {...shown}
        stint={stint}
        calledBy={called.get(stint.number)}
        onChange={onChange}
      />,
      ...sheet.visits
        .filter(({ after }) => after === stint.number)
        .map((stop, index) => <StopRow key={`${stint.number} ${index}`} stop={stop} />),
    ])
  return (
    <section aria-labelledby="plan-stints">
      <h2 id="plan-stints" className={typography.hidden}>
        {planText.stints}
      </h2>
      <table className={styles.table}>
        <thead>
          <tr>
            <th>{planText.columns.stint}</th>
            <th>{planText.columns.driver}</th>
            <th>{planText.columns.from}</th>
            <th data-right>{planText.columns.laps}</th>
            <th data-right>{planText.columns.time}</th>
            <th>{planText.columns.limit}</th>
            <th data-right>{planText.columns.stop}</th>
          </tr>
        </thead>
        <Folded count={fromAt} text={planText.earlierStints}>
          {rowsOf(sheet.stints.slice(0, fromAt))}
        </Folded>
        <tbody>{rowsOf(sheet.stints.slice(fromAt, toAt))}</tbody>
        <Folded count={sheet.stints.length - toAt} text={planText.laterStints}>
          {rowsOf(sheet.stints.slice(toAt))}
        </Folded>
      </table>
      {onChange && (
        <div className={planStyles.actions}>
          {last && (
            <Button
              variant="quiet"
              narrow
              onClick={() => {
                const number = last.number + 1
                const stint = { number, driverId: null, lengthMs: addedMs }
                onChange({ kind: 'stints', stints: [stint] })
              }}
            >
              <Plus size={20} aria-hidden />
              {planText.add}
            </Button>
          )}
          {isMoved && (
            <Button
              variant="quiet"
              narrow
              onClick={() => onChange({ kind: 'reset', from: firstOpen?.number ?? 1 })}
            >
              {planText.layOut}
            </Button>
          )}
        </div>
      )}
    </section>
  )
}

interface FoldedProps {
  count: number
  text: (count: string) => string
  children: ReactNode
}

/** Rows that one press shows; nothing without any. */
function Folded({ count, text, children }: FoldedProps) {
  const [isOpen, setOpen] = useState(false)
  if (count <= 0) return null
  return (
    <tbody>
      <tr data-fold>
        <td colSpan={7}>
          <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <ChevronDown size={18} aria-hidden />
            {text(String(count))}
          </button>
        </td>
      </tr>
      {isOpen && children}
    </tbody>
  )
}

interface StintRowProps extends ShownPlan {
  stint: SheetStint
  calledBy: CalledBy | undefined
  onChange: Props['onChange']
}

function StintRow({ stint, calledBy, onChange, ...shown }: StintRowProps) {
  const { race, plan: laid } = shown
  const { number, state, laps, drivenLaps, end, lapsShort, litres } = stint
  const broken = brokenText(laid.broken, number)
  const name = plannedDriverName(shown, stint)
  const asksFrom = driverQuestion(race)?.planned.stint ?? Number.POSITIVE_INFINITY
  const asks = state !== 'next' && number >= asksFrom
  return (
    <tr data-state={state}>
      <td>{number}</td>
      <td>
        <span className={styles.driver}>
          <ThreeLetterPlate name={plateOf(shown, stint)} quiet={state !== 'driven'} />
          {onChange && state === 'next' ? (
            <ChooseDriver race={race} request={shown.request} stint={stint} onChange={onChange} />
          ) : (
            <span>
              <Name name={name} />
              {state === 'driven' && number === laid.stints.length && isUnconfirmed(race) && (
                <small>{stintsText.notConfirmed}</small>
              )}
              {asks && <small>{fuelText.asksDriver}</small>}
              {state === 'now' && !asks && <small>{planText.inTheCar}</small>}
            </span>
          )}
        </span>
      </td>
      <td>{raceTime(race, stint.fromMs)}</td>
      <td data-right>
        {laps === null
          ? '--'
          : state === 'now'
            ? planText.lapsOf(String(drivenLaps), String(laps))
            : laps}
        <span className={styles.unit}>{laps === null ? '' : ` ${planText.lapsUnit(laps)}`}</span>
      </td>
      <td data-right>{durationText(stint.toMs - stint.fromMs)}</td>
      <td>
        {calledBy ? (
          <b>{planText.calledBy[calledBy]}</b>
        ) : (
          end && <b data-end={end.by}>{endText(end, { laps, ms: stint.toMs - stint.fromMs })}</b>
        )}
        {lapsShort !== null && <small>{planText.lapsShort(lapsShort)}</small>}
        {broken.map(text => (
          <b key={text} className={planStyles.problem}>
            {text}
          </b>
        ))}
      </td>
      <td data-right>
        {litres !== null && (
          <>
            <span className={styles.unit}>{planText.columns.stop} </span>
            {litresText(litres)}
          </>
        )}
      </td>
    </tr>
  )
}

/** A driver's name; on a phone the family name alone. */
function Name({ name }: { name: string }) {
  return (
    <>
      <span className={styles.fullName}>{name}</span>
      <span className={styles.familyName}>{isUnnamed(name) ? name : lastWord(name)}</span>
    </>
  )
}

/** Names the difference between a stop and its minimum; null for less than a second over it. */
function overText({ ms, overMs }: MadeVisit): string | null {
  if (overMs === null) return null
  if (overMs < 0) return planText.overMinimum(shortStop(-overMs, ms - overMs).missing, true)
  return overMs < 1000 ? null : planText.overMinimum(stopText(overMs), false)
}

function StopRow({ stop }: { stop: MadeVisit }) {
  const { openSince, isStop, ms, overMs, isYellow, litres, lacksLitres } = stop
  const isShort = overMs !== null && overMs < 0
  const text =
    openSince !== null
      ? planText.inPitsSince(hoursAndMinutes(openSince))
      : isStop
        ? planText.stopMade(stopText(ms), isYellow)
        : pitExitText.noStopAfter(stopText(ms))
  return (
    <tr data-stop>
      <td colSpan={6}>
        {text} {isShort ? <b>{overText(stop)}</b> : overText(stop)}
      </td>
      <td data-right>
        {lacksLitres ? <b>{fuelText.isMissing}</b> : litres !== null && litresText(litres)}
      </td>
    </tr>
  )
}

interface ChooseProps extends Pick<ShownPlan, 'race' | 'request'> {
  stint: LaidStint
  onChange: (change: PlanChange) => void
}

/** Sets who drives a planned stint. */
function ChooseDriver({ stint, race, request, onChange }: ChooseProps) {
  const { number } = stint
  const fixed = request.fixed.find(each => each.number === number)
  return (
    <span className={styles.choose}>
      <span aria-hidden>
        <Name name={plannedDriverName({ race }, stint)} />
      </span>
      <ChevronDown size={18} aria-hidden />
      {/* Transparent over the name, so that the closed list shows who drives. */}
      <select
        aria-label={planText.driverOf(String(number))}
        value={fixed?.driver ?? ''}
        onChange={({ target }) =>
          onChange({
            kind: 'stints',
            stints: [{ number, driverId: target.value || null, lengthMs: fixed?.lengthMs ?? null }],
          })
        }
      >
        <option value="">{planText.nextInOrder}</option>
        {race.drivers
          .filter(({ archived, id }) => !archived || id === fixed?.driver)
          .map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
      </select>
    </span>
  )
}

interface TotalsProps extends ShownPlan {
  sheet: PlanSheet
}

/** The time of each driver in the whole race, of the one that the rules allow. */
export function DriverTotals({ sheet, race, plan, request }: TotalsProps) {
  const { maxDriverMs } = request.rules
  const mostMs = maxDriverMs ?? Math.max(1, greatestOf(sheet.drivers.map(({ ms }) => ms)))
  if (sheet.drivers.length === 0) return null
  return (
    <section aria-labelledby="plan-totals">
      <h3 id="plan-totals" className={styles.totalsTitle}>
        {planText.totals}
      </h3>
      <ul className={styles.totals}>
        {sheet.drivers.map(({ driver, ms }) => {
          const name = race.drivers.find(({ id }) => id === driver)?.name ?? rosterText.notChosen
          const isOver = plan.broken.some(
            limit => limit.kind === 'driver' && limit.driver === driver,
          )
          return (
            <li key={driver} data-over={isOver || undefined}>
              <ThreeLetterPlate name={name.split(' ').at(-1) ?? name} quiet />
              <span>{name}</span>
              <i aria-hidden>
                <i style={{ width: `${Math.min(100, (ms / mostMs) * 100)}%` }} />
              </i>
              <b>
                {durationText(ms)}
                {maxDriverMs !== null && (
                  <small> {planText.ofLimit(durationText(maxDriverMs))}</small>
                )}
              </b>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
