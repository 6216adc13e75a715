import { FileUp } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { recordingsText } from '#web/text/recordings.ts'
import { Button } from '#web/ui/Button.tsx'

const ImportDialog = lazy(async () => ({
  default: (await import('./ImportDialog.tsx')).ImportDialog,
}))

/** Imports a recording as a session, and opens its laps. */
export function ImportRecording({ teamId }: { teamId: string }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" onClick={() => setOpen(true)}>
        <FileUp aria-hidden />
        {recordingsText.open}
      </Button>
      <Suspense>{open && <ImportDialog teamId={teamId} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
