import { useState } from 'react'
import type { Session } from '#contract/sessions.ts'
import { useDataLink } from '#web/race/useDataLink.ts'
import { dataLinkText } from '#web/text/dataLink.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import typography from '#web/ui/theme/typography.module.css'

/** Turns the data link of an active session off, which must be meant, and on. */
export function DataLinkSetting({ session: { id, car, dataLink } }: { session: Session }) {
  const change = useDataLink(id)
  const [isAsking, setAsking] = useState(false)
  return (
    <section>
      <h2 className={typography.h2}>{dataLinkText.title}</h2>
      <p className={typography.sub}>{dataLink ? dataLinkText.isOn : dataLinkText.team}</p>
      <Button
        variant="quiet"
        narrow
        busy={change.isPending && !isAsking}
        onClick={() => (dataLink ? setAsking(true) : change.mutate(true))}
      >
        {dataLink ? dataLinkText.off : dataLinkText.on}
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={dataLinkText.confirmTitle}
        car={car?.number}
        text={dataLinkText.confirmText}
        cancelLabel={dataLinkText.keep}
        confirmLabel={dataLinkText.hold}
        isHeld
        busy={change.isPending}
        onCancel={() => setAsking(false)}
        onConfirm={() => change.mutate(false, { onSettled: () => setAsking(false) })}
      />
    </section>
  )
}
