import { ArrowLeftRight, X } from 'lucide-react'
import { useId, useState } from 'react'
import type { Stint } from '#contract/carRaces.ts'
import { driverChoices } from '#web/race/driverChoices.ts'
import { stintDriverName } from '#web/race/driverName.ts'
import { plannedDriver } from '#web/race/driverProposal.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { useServerNow } from '#web/race/useServerNow.ts'
import { driverChangeText as text } from '#web/text/driverChange.ts'
import typography from '#web/ui/theme/typography.module.css'
import { DriverList } from './DriverList.tsx'
import styles from './DriverPanel.module.css'
import screen from './DriveScreen.module.css'
import { ProposedChange } from './ProposedChange.tsx'
import { refusedText } from './refusedText.ts'
import { useDataLinkOff } from './useDataLinkOff.ts'
import type { DrivenRace } from './useDrivenRace.ts'
import { useProposedChange } from './useProposedChange.ts'

interface Props {
  sessionId: string
  driven: DrivenRace
  /** Version of the message on the screen; null without one. */
  message: number | null
}

/**
 * Changes the driver in the car: a button with the current driver opens the list of drivers. Renders nothing
 * without another driver. A new message closes the list. Must be rendered only at standstill.
 */
export function DriverPanel({ sessionId, driven, message }: Props) {
  const { race, changes, isUnsent, refused } = driven
  // Driving times and the proposal's plan change with time.
  const nowMs = useServerNow(1000)
  const linkOff = useDataLinkOff(sessionId)
  const proposal = useProposedChange(sessionId, race)
  /** Version of the message under the open list, 0 without one; null while it is closed. */
  const [openOver, setOpenOver] = useState<number | null>(null)
  const [lastId, setLastId] = useState<string | null>(null)
  const id = useId()
  if (openOver !== null && message !== null && message > openOver) setOpenOver(null)
  const open = openOver !== null
  const setOpen = (isOpen: boolean) => setOpenOver(isOpen ? (message ?? 0) : null)
  // The phone sends nothing while the data link is off: the team enters the change.
  if (!race || linkOff) return null
  const choices = driverChoices(race, { sessionId, planned: plannedDriver(race, nowMs), nowMs })
  const current = choices.find(({ isDriving }) => isDriving)
  if (!current || choices.length < 2) return null
  const choose = (driverId: string | null) => {
    const after = race.stints.at(-1)?.from ?? 0
    setLastId(changes.change({ sessionId, driverId, after }))
    setOpen(false)
  }
  const undone = undoable(race, lastId)
  const undo = () => {
    if (!undone || lastId === null) return
    changes.undo({ sessionId, stintId: lastId, driverId: undone.driverId })
    setLastId(null)
    setOpen(false)
  }
  const planned = choices.find(choice => choice.id !== null && choice.id === proposal?.plannedId)
  const note = refused
    ? refusedText(refused)
    : lastId === null
      ? null
      : isUnsent
        ? text.changedUnsent(current.name)
        : text.changed(current.name)
  return (
    <>
      <button
        type="button"
        className={`${screen.corner} ${styles.open}`}
        data-unsent={isUnsent || undefined}
        aria-expanded={open}
        aria-controls={id}
        aria-label={
          open
            ? text.close
            : [text.driver(current.name), isUnsent && text.notSent].filter(Boolean).join('. ')
        }
        onClick={() => {
          changes.dismissRefused()
          setOpen(!open)
        }}
      >
        {open ? <X size={20} aria-hidden /> : <ArrowLeftRight size={20} aria-hidden />}
        <span>
          <b>{open ? text.close : current.name}</b>
          {isUnsent && !open && <small>{text.notSent}</small>}
        </span>
      </button>
      {/* Always rendered: screen readers announce only changes of a live region that exists already. */}
      <output
        className={refused && !open ? styles.refused : typography.hidden}
        // The board leaves space for it.
        data-proposal={refused && !open ? '' : undefined}
      >
        {note}
      </output>
      {open && (
        <DriverList
          id={id}
          choices={choices}
          undone={undone && stintDriverName(undone, race)}
          onChoose={choose}
          onUndo={undo}
        />
      )}
      {proposal && !open && (
        <ProposedChange
          from={current.name}
          to={planned?.name ?? null}
          onAccept={() => (planned ? choose(planned.id) : setOpen(true))}
          onDismiss={proposal.dismiss}
        />
      )}
    </>
  )
}

/** Returns the stint that goes on if the last change of this page is undone; null if it was followed by another. */
function undoable({ stints }: CarRace, lastId: string | null): Stint | null {
  return stints.at(-1)?.id === lastId ? (stints.at(-2) ?? null) : null
}
