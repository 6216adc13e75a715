import { Gamepad2 } from 'lucide-react'
import type { Session } from '#contract/sessions.ts'
import { practiceText } from '#web/text/practice.ts'
import { ActionButton } from '#web/ui/ActionCard.tsx'
import { Row } from '#web/ui/Rows.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import { Elapsed } from './Elapsed.tsx'
import styles from './PracticeCard.module.css'
import { usePracticeCar } from './practice/usePracticeCar.ts'
import { useStartPractice } from './practice/useStartPractice.ts'

/** Starts the practice car, in a team without an active session. */
export function PracticeCard({ teamId }: { teamId: string }) {
  const start = useStartPractice(teamId)
  return (
    <div className={styles.card}>
      <ActionButton
        icon={<Gamepad2 aria-hidden />}
        lead={practiceText.start}
        {...(!start.isPending && { onAct: () => start.mutate() })}
      >
        {practiceText.startText}
      </ActionButton>
    </div>
  )
}

/** The same in the team's menu; nothing while one drives. */
export function PracticeItem({ teamId }: { teamId: string }) {
  const start = useStartPractice(teamId)
  if (usePracticeCar(teamId)) return null
  return (
    <button type="button" disabled={start.isPending} onClick={() => start.mutate()}>
      <Gamepad2 aria-hidden />
      {practiceText.start}
    </button>
  )
}

/** The practice car that drives, linked to its message screen. */
export function PracticeRow({ session }: { session: Session }) {
  const { id, teamId, name, startedAt } = session
  return (
    <Row
      plate={<ThreeLetterPlate name={practiceText.label} quiet picture={undefined} />}
      title={practiceText.label}
      detail={name}
      figures={<Elapsed since={startedAt} />}
      to={`/teams/${teamId}/${id}/message`}
    />
  )
}
