import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { command } from '#web/api/call.ts'
import { clearLogin, useMe } from '#web/api/login.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { refusedFields } from '#web/api/showRefusedFields.ts'
import { accountText } from '#web/text/account.ts'
import { profileText } from '#web/text/profile.ts'
import { Button } from '#web/ui/Button.tsx'
import { DialogChoices, DialogError, FormDialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useToasts } from '#web/ui/toasts.ts'
import { Stack } from '#web/ui/Wrap.tsx'
import styles from './DeleteAccountDialog.module.css'
import { deleteUnsent } from './useSignOut.ts'

/** Deletes the account, once the user has typed its e-mail address. */
export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const { email } = useMe()
  const [typed, setTyped] = useState('')
  const remove = useDeleteAccount()
  const confirmed = typed.trim().toLowerCase() === email
  const [[, fieldError] = []] = refusedFields(remove.error, ['email'])
  return (
    <FormDialog open title={accountText.deleteTitle} busy={remove.isPending} onClose={onClose}>
      <form
        noValidate
        onSubmit={event => {
          event.preventDefault()
          if (confirmed) remove.mutate(typed)
        }}
      >
        <Stack>
          <ul className={`${styles.lines} ${typography.sub}`}>
            {accountText.deleteLines.map(line => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          <Field
            label={accountText.typeEmail(email ?? '')}
            error={fieldError}
            type="email"
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={typed}
            onChange={event => setTyped(event.target.value)}
          />
          {remove.error && fieldError === undefined && (
            <DialogError>{refusalText(remove.error)}</DialogError>
          )}
        </Stack>
        <DialogChoices>
          <Button variant="quiet" disabled={remove.isPending} onClick={onClose}>
            {profileText.cancel}
          </Button>
          <Button type="submit" variant="danger" disabled={!confirmed} busy={remove.isPending}>
            {accountText.deleteAccount}
          </Button>
        </DialogChoices>
      </form>
    </FormDialog>
  )
}

function useDeleteAccount() {
  const client = useQueryClient()
  const toasts = useToasts()
  const { id } = useMe()
  return useMutation({
    mutationFn: async (email: string) => {
      await command('users.delete', { email })
      await deleteUnsent(id)
    },
    onSuccess: () => {
      toasts.success(accountText.deleted, accountText.deletedText)
      // The guard then shows the sign-in, and the device deletes the person's data.
      clearLogin(client)
    },
  })
}
