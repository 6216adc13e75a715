import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SyntheticEvent, useState } from 'react'
import { command } from '#web/api/call.ts'
import { clearLogin, useMe } from '#web/api/login.ts'
import { refusedFields } from '#web/api/showRefusedFields.ts'
import { accountText } from '#web/text/account.ts'
import { EmailField } from '#web/ui/Field.tsx'
import { SaveDialog } from '#web/ui/SaveDialog.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useToasts } from '#web/ui/toasts.ts'
import styles from './DeleteAccountDialog.module.css'
import { deleteUnsent } from './useSignOut.ts'

const fields = ['email'] as const

/** Deletes the account, once the user has typed its e-mail address. */
export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const toasts = useToasts()
  const { id, email } = useMe()
  const [typed, setTyped] = useState('')
  const save = useMutation({
    mutationFn: async () => {
      await command('users.delete', email === null ? {} : { email: typed })
      await deleteUnsent(id)
    },
    onSuccess: () => {
      toasts.success(accountText.deleted, accountText.deletedText)
      // The guard then shows the sign-in, and the device deletes the person's data.
      clearLogin(client)
    },
  })
  const valid = email === null || typed.trim().toLowerCase() === email
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (valid) save.mutate()
  }
  const [[, fieldError] = []] = refusedFields(save.error, fields)
  return (
    <SaveDialog
      title={accountText.deleteTitle}
      form={{ save, fields, valid, onSubmit }}
      saveLabel={accountText.deleteAccount}
      isDanger
      onClose={onClose}
    >
      <ul className={`${styles.lines} ${typography.sub}`}>
        {accountText.deleteLines.map(line => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {email !== null && (
        <EmailField
          label={accountText.typeEmail(email)}
          error={fieldError}
          autoComplete="off"
          value={typed}
          onChange={event => setTyped(event.target.value)}
        />
      )}
    </SaveDialog>
  )
}
