import { useState } from 'react'
import type { LapTable } from '#contract/laps.ts'
import { hasFinished } from '#racing/race/raceResult.ts'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { useLiveSession } from '#web/live/useSession.ts'
import { fuelText } from '#web/text/fuel.ts'
import typography from '#web/ui/theme/typography.module.css'
import { isInStop } from './isInStop.ts'
import { isOutdated } from './isOutdated.ts'
import { ProposedDriver } from './ProposedDriver.tsx'
import { RefuelSheet } from './RefuelSheet.tsx'
import styles from './StintLine.module.css'
import { type ChoosingLitres, StopLitres } from './StopLitres.tsx'
import type { CarRace } from './shownCarRace.ts'
import { dueFigures, type StintFigures, stintFigures } from './stintFigures.ts'
import { useCarRace } from './useCarRace.ts'
import { clockTickMs, useServerNow } from './useServerNow.ts'

export interface StintLineProps {
  teamId: string
  sessionId: string
  /** The litres that somebody has chosen in a stop, and how to change them. */
  litres: ChoosingLitres
  /** In the pits: driver change and litres share one row, beside a word or a map. */
  isShort: boolean
  /** The same below the clock of a stop on low screens, where something else needs the height too. */
  isRow?: boolean
  /** The stage above shows the driver change of a stop that the car has left. */
  asksDriver?: boolean
}

/**
 * The stint, laps to pit and fuel on the message screen. A press opens the fuel entries. In the pits a driver change and
 * the litres are in place of it; after the exit the fuel asks for the litres until they are entered.
 */
export function StintLine(props: StintLineProps) {
  const { teamId, sessionId, litres, isShort, isRow, asksDriver = false } = props
  const { race, table } = useCarRace(sessionId)
  const now = useServerNow(clockTickMs)
  const viewer = useIsViewer(teamId)
  const [isOpen, setOpen] = useState(false)
  const isStop = isInStop(race)
  const asksLitres = race?.car != null && isStop
  const session = useLiveSession(sessionId, state => state.session)
  const known = race && table && stintFigures(race, table, now)
  const figures = known && {
    ...known,
    isOutdated: session !== null && isOutdated(session, race.laps),
    isFinished: hasFinished(race),
  }
  const line = figures && (
    <button type="button" className={styles.line} data-stint-line="" onClick={() => setOpen(true)}>
      <span className={typography.hidden}>{fuelText.refuel}</span>
      <Figures {...figures} />
    </button>
  )
  const text = figures && (
    <p className={styles.text}>
      <Figures {...figures} />
    </p>
  )
  if (viewer)
    return (
      figures && (
        <>
          <div className={styles.line} data-stint-line="">
            <Figures {...figures} mayEnter={false} />
          </div>
          <p className={styles.text}>
            <Figures {...figures} mayEnter={false} />
          </p>
        </>
      )
    )
  const amount = asksLitres && (
    <StopLitres {...{ sessionId, race, litres }} onOpen={() => setOpen(true)} />
  )
  return (
    <>
      {session && isStop ? (
        <div
          className={styles.stop}
          data-stop-keys
          data-short={isShort || undefined}
          data-row={isRow || undefined}
        >
          <ProposedDriver session={session} race={race}>
            {asksLitres ? null : line}
          </ProposedDriver>
          {amount}
        </div>
      ) : (
        <>
          {session && figures && !asksDriver && <ProposedDriver session={session} race={race} />}
          {line}
          {text}
        </>
      )}
      {isOpen && <RefuelSheet sessionId={sessionId} onClose={() => setOpen(false)} />}
    </>
  )
}

interface DueProps {
  sessionId: string
  maySend: boolean
  race: CarRace
  table: LapTable
}

/**
 * The figures that warn, the most urgent first, where a message leaves no room for the line; nothing without any. A press
 * on missing litres, or anywhere on the receipt, opens the fuel entries.
 */
export function DueFigures({ sessionId, race, table, maySend }: DueProps) {
  const [isOpen, setOpen] = useState(false)
  const figures = stintFigures(race, table, useServerNow(clockTickMs))
  const due = figures ? dueFigures(figures) : []
  if (due.length === 0) return null
  return (
    <>
      <p className={styles.due} data-due>
        {due.map(figure => {
          const shown = <Figure key={figure.name} {...figure} />
          if (!('isMissing' in figure) || !figure.isMissing) return shown
          if (!maySend) return null
          return (
            <button key={figure.name} type="button" onClick={() => setOpen(true)}>
              {shown}
            </button>
          )
        })}
      </p>
      {isOpen && <RefuelSheet sessionId={sessionId} onClose={() => setOpen(false)} />}
    </>
  )
}

function Figures({
  stint,
  pit,
  last,
  isOutdated,
  isFinished,
  mayEnter = true,
  ...more
}: StintFigures & { isOutdated: boolean; isFinished: boolean; mayEnter?: boolean }) {
  const isMissing = more.fuel.isMissing && !mayEnter
  const noLitres = { name: fuelText.fuel, litres: fuelText.noLitres, isMissing: false }
  const fuel = isMissing ? { ...more.fuel, ...noLitres } : more.fuel
  return (
    <span className={styles.figures} data-outdated={isOutdated || undefined}>
      {last !== null && <Figure {...last} />}
      <Figure {...stint} />
      <Figure {...pit} />
      <Figure
        name={fuel.name}
        value={fuel.litres}
        more={fuel.more}
        asks={fuel.isAssumed}
        warns={!isFinished && ((fuel.isReserve && !isOutdated) || fuel.isMissing)}
      />
    </span>
  )
}

interface FigureProps {
  name: string
  value: string
  more?: string | null
  /** True if a press on the line asks for the value. */
  asks?: boolean
  warns?: boolean
}

function Figure({ name, value, more, asks = false, warns = false }: FigureProps) {
  return (
    <span data-asks={asks || undefined} data-warns={warns || undefined}>
      <small>{name}</small> <b>{value}</b>
      {more && ' '}
      {more && <i>{more}</i>}
    </span>
  )
}
