import { CircleAlert } from 'lucide-react'
import { refusalText } from '#web/api/refusalText.ts'
import { appText } from '#web/text/app.ts'
import { planText } from '#web/text/plan.ts'
import { Button } from '#web/ui/Button.tsx'
import styles from './Plan.module.css'
import type { PlanChanges } from './usePlanChanges.ts'

/** Changes of the plan that the server has not stored, with the reason. They stay on the screen until then. */
export function UnsavedChanges({ changes }: { changes: PlanChanges }) {
  if (!changes.isUnsaved) return null
  return (
    <div className={styles.unsaved} role="alert">
      <p>
        <CircleAlert size={20} aria-hidden />
        {planText.unsaved} {changes.failure !== null && refusalText(changes.failure)}
      </p>
      <div className={styles.actions}>
        <Button variant="quiet" narrow busy={changes.isPending} onClick={changes.retry}>
          {appText.tryAgain}
        </Button>
        <Button variant="quiet" narrow onClick={changes.discard}>
          {planText.discard}
        </Button>
      </div>
    </div>
  )
}
