import { useState } from 'react'
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
  const { race } = useCarRace(sessionId)
  const viewer = useIsViewer(teamId)
  const [isOpen, setOpen] = useState(false)
  const isStop = isInStop(race)
  const asksLitres = race?.car != null && isStop
  const session = useLiveSession(sessionId, state => state.session)
  const figures = useFigures(sessionId, !viewer)
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
            <Figures {...figures} />
          </div>
          <p className={styles.text}>
            <Figures {...figures} />
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

/**
 * The figures that warn, the most urgent first, where a message leaves no room for the line; nothing without any. A press
 * on missing litres, or anywhere on the receipt, opens the fuel entries.
 */
export function DueFigures({ sessionId, mayEnter }: { sessionId: string; mayEnter: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const figures = useFigures(sessionId, mayEnter)
  const due = figures ? dueFigures(figures) : []
  if (due.length === 0) return null
  return (
    <>
      <p className={styles.due} data-due>
        {due.map(figure => {
          const shown = <Figure key={figure.name} {...figure} />
          if (!('isMissing' in figure) || !figure.isMissing) return shown
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

/** Returns the figures of the line. Old litres and those after the finish do not warn; viewers are not asked for any. */
function useFigures(sessionId: string, mayEnter: boolean) {
  const { race, table } = useCarRace(sessionId)
  const session = useLiveSession(sessionId, state => state.session)
  const now = useServerNow(clockTickMs)
  const figures = race && table && stintFigures(race, table, now)
  if (!figures) return null
  const isOld = session !== null && isOutdated(session, race.laps)
  const isFinished = hasFinished(race)
  const { fuel } = figures
  const noLitres = { name: fuelText.fuel, litres: fuelText.noLitres }
  return {
    ...figures,
    fuel: {
      ...fuel,
      isReserve: fuel.isReserve && !isOld && !isFinished,
      isMissing: fuel.isMissing && mayEnter && !isFinished,
      ...(fuel.isMissing && !mayEnter && noLitres),
    },
    isOutdated: isOld,
  }
}

type FiguresProps = StintFigures & { isOutdated: boolean }

function Figures({ stint, pit, last, fuel, isOutdated }: FiguresProps) {
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
        warns={fuel.isReserve || fuel.isMissing}
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
