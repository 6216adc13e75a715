import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { Passkey } from '#contract/passkeys.ts'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { isCancelled, supportsPasskeys } from '#web/device/passkeys.ts'
import { appText } from '#web/text/app.ts'
import { passkeysText } from '#web/text/passkeys.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog, DialogError, InfoDialog } from '#web/ui/Dialog.tsx'
import { day, dayAndTime } from '#web/ui/dates.ts'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { Row, Rows } from '#web/ui/Rows.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useToasts } from '#web/ui/toasts.ts'
import { passkeysQuery, useAddPasskey } from './usePasskeys.ts'

/** The user's passkeys, with buttons to add one and to remove each. */
export function PasskeysDialog({ onClose }: { onClose: () => void }) {
  const add = useAddPasskey()
  return (
    <InfoDialog title={passkeysText.passkeys} busy={add.isPending} onClose={onClose}>
      <p className={typography.sub}>{passkeysText.passkeysText}</p>
      <Passkeys />
      {add.error && (
        <DialogError>
          {isCancelled(add.error) ? passkeysText.passkeyNotAdded : refusalText(add.error)}
        </DialogError>
      )}
      {supportsPasskeys() ? (
        <Button busy={add.isPending} onClick={() => add.mutate()}>
          {passkeysText.addPasskey}
        </Button>
      ) : (
        <p className={typography.sub}>{passkeysText.passkeysUnsupported}</p>
      )}
    </InfoDialog>
  )
}

function Passkeys() {
  const passkeys = useQuery(passkeysQuery)
  const [removing, setRemoving] = useState<Passkey | null>(null)
  const remove = useRemovePasskey()
  function confirm() {
    if (removing) remove.mutate(removing)
    setRemoving(null)
  }
  if (!passkeys.data)
    return (
      <NotLoaded
        query={passkeys}
        loading={passkeysText.passkeysLoading}
        failed={passkeysText.passkeysFailed}
        detailPx={180}
      />
    )
  if (passkeys.data.length === 0) return <p>{passkeysText.noPasskeys}</p>
  return (
    <>
      <Rows label={passkeysText.passkeys}>
        {passkeys.data.map(passkey => (
          <PasskeyRow
            key={passkey.id}
            passkey={passkey}
            busy={remove.isPending && remove.variables.id === passkey.id}
            onRemove={() => setRemoving(passkey)}
          />
        ))}
      </Rows>
      {remove.error && <DialogError>{refusalText(remove.error)}</DialogError>}
      <ConfirmDialog
        open={removing !== null}
        title={passkeysText.removePasskeyTitle(removing?.name ?? '')}
        text={passkeysText.removePasskeyText}
        cancelLabel={appText.cancel}
        confirmLabel={passkeysText.remove}
        onCancel={() => setRemoving(null)}
        onConfirm={confirm}
      />
    </>
  )
}

interface RowProps {
  passkey: Passkey
  busy: boolean
  onRemove: () => void
}

function PasskeyRow({ passkey: { name, createdAt, lastUsedAt }, busy, onRemove }: RowProps) {
  const added = day.format(createdAt)
  return (
    <Row
      plate={<KeyRound aria-hidden />}
      title={name}
      detail={
        lastUsedAt === null
          ? passkeysText.passkeyUnused(added)
          : passkeysText.passkeyUsed(dayAndTime.format(lastUsedAt), added)
      }
      choices={
        <Button
          variant="quiet"
          busy={busy}
          aria-label={passkeysText.removePasskey(name)}
          onClick={onRemove}
        >
          {passkeysText.remove}
        </Button>
      }
    />
  )
}

function useRemovePasskey() {
  const client = useQueryClient()
  const toasts = useToasts()
  return useMutation({
    mutationFn: ({ id }: Passkey) => command('passkeys.remove', { passkeyId: id }),
    onSuccess: (_answer, { name }) =>
      toasts.success(appText.success, passkeysText.passkeyRemoved(name)),
    onSettled: () => client.invalidateQueries({ queryKey: passkeysQuery.queryKey }),
  })
}
