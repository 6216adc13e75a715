import { useStartPractice } from '#web/teams/practice/useStartPractice.ts'
import { practiceText } from '#web/text/practice.ts'
import { Button } from '#web/ui/Button.tsx'

/** Starts the practice car, for a crew that waits for its first car. */
export function PracticeHint({ teamId }: { teamId: string }) {
  const start = useStartPractice(teamId)
  return (
    <>
      <p>{practiceText.hint}</p>
      <Button variant="quiet" narrow busy={start.isPending} onClick={() => start.mutate()}>
        {practiceText.start}
      </Button>
    </>
  )
}
