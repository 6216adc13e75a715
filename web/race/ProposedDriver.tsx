import { X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Session } from '#contract/sessions.ts'
import { driverChangeText as text } from '#web/text/driverChange.ts'
import type { CarRace } from './carRace.ts'
import { DriverChange } from './DriverChange.tsx'
import { driverName, stintDriverName } from './driverName.ts'
import styles from './ProposedDriver.module.css'
import { useChangeDriver } from './useChangeDriver.tsx'
import { useDriverProposal } from './useDriverProposal.ts'

interface Props {
  session: Session
  /** Undefined until it has loaded. */
  race: CarRace | undefined
  /** Opens the fuel entry after a change at a stop. */
  onRefuel?: () => void
  /** Shown without a proposal. */
  children?: ReactNode
}

/**
 * The driver change that the team's screens propose while a car is in the pits: one press confirms the planned driver,
 * another one opens the choice.
 */
export function ProposedDriver({ session, race, onRefuel, children }: Props) {
  const proposal = useDriverProposal(session.id, race)
  if (!race || !proposal) return children
  return <Proposal key={proposal.stopAt} {...{ session, race, onRefuel, ...proposal }} />
}

interface ProposalProps {
  session: Session
  race: CarRace
  onRefuel: (() => void) | undefined
  plannedId: string | null
  dismiss: () => void
}

function Proposal({ session, race, onRefuel, plannedId, dismiss }: ProposalProps) {
  // A second press is the same command.
  const [stintId] = useState(() => crypto.randomUUID())
  const change = useChangeDriver(session, { onRefuel })
  const from = driverName(session)
  const to =
    plannedId === null
      ? null
      : stintDriverName({ driverId: plannedId, sessionId: session.id }, race)
  return (
    <section className={styles.proposal} aria-label={text.proposal} data-proposal="">
      <dl>
        <dt>{text.out}</dt>
        <dd>{from}</dd>
        <dt>{text.in}</dt>
        <dd>{to ?? text.noPlan}</dd>
      </dl>
      {to !== null && (
        <button
          type="button"
          className={styles.confirm}
          aria-label={text.accept(from, to)}
          disabled={change.isPending}
          onClick={() => change.mutate({ stintId, driverId: plannedId })}
        >
          {text.confirm}
        </button>
      )}
      <DriverChange
        session={session}
        race={race}
        onRefuel={onRefuel}
        renderButton={button => (
          <button type="button" {...button}>
            {to === null ? text.choose : text.other}
          </button>
        )}
      />
      <button type="button" className={styles.dismiss} aria-label={text.dismiss} onClick={dismiss}>
        <X aria-hidden />
      </button>
    </section>
  )
}
