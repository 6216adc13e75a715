import { FileUp } from 'lucide-react'
import { useState } from 'react'
import { recordingsText } from '#web/text/recordings.ts'
import { Button } from '#web/ui/Button.tsx'
import { ImportDialog } from './ImportDialog.tsx'

/** Imports a recording as a session, and opens its laps. */
export function ImportRecording({ teamId }: { teamId: string }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" onClick={() => setOpen(true)}>
        <FileUp aria-hidden />
        {recordingsText.open}
      </Button>
      {open && <ImportDialog teamId={teamId} onClose={() => setOpen(false)} />}
    </>
  )
}
