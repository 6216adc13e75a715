import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Me } from '#contract/users.ts'
import { command } from '#web/api/call.ts'
import { setMe, useMe } from '#web/api/login.ts'
import { loginQuery } from '#web/api/loginQuery.ts'
import { appText } from '#web/text/app.ts'
import { profileText } from '#web/text/profile.ts'
import { CodeField } from '#web/ui/CodeField.tsx'
import { EmailField } from '#web/ui/Field.tsx'
import { SaveDialog, useSaveForm } from '#web/ui/SaveDialog.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useToasts } from '#web/ui/toasts.ts'

/**
 * Dialog to change the user's email address: first the address, then the codes from both mailboxes. Somebody without one
 * adds it with a code from the new one.
 */
export function EmailDialog({ onClose }: { onClose: () => void }) {
  const { email: current } = useMe()
  /** The address to which codes were mailed; empty before. */
  const [email, setEmail] = useState('')
  const address = useSaveForm({
    defaultValues: { email: '' },
    fields: ['email'],
    send: (entered: { email: string }) =>
      command('users.sendEmailCodes', { email: entered.email.trim() }),
    onSaved: (_, entered) => setEmail(entered.email.trim()),
  })
  const codes = useChange({ current, email }, onClose)
  const title = current === null ? profileText.addEmailTitle : profileText.emailTitle
  function back() {
    codes.reset()
    codes.form.save.reset()
    setEmail('')
  }
  if (email === '')
    return (
      <SaveDialog
        title={title}
        form={{ ...address.form, valid: true }}
        saveLabel={current === null ? profileText.sendCode : profileText.sendCodes}
        onClose={onClose}
      >
        <p className={typography.sub}>
          {current === null ? profileText.addEmailText : profileText.emailText(current)}
        </p>
        <EmailField
          {...address.register('email', { required: profileText.newEmailMissing })}
          label={profileText.newEmail}
          error={address.errors.email?.message}
        />
      </SaveDialog>
    )
  return (
    <SaveDialog
      title={title}
      form={{ ...codes.form, valid: true }}
      cancelLabel={appText.back}
      saveLabel={current === null ? profileText.addEmail : profileText.changeEmail}
      onCancel={back}
      onClose={onClose}
    >
      <p className={typography.sub}>
        {current === null ? profileText.codeText : profileText.codesText}
      </p>
      {current !== null && (
        <CodeField
          {...codes.register('currentCode', { required: profileText.codeMissing })}
          label={profileText.codeSentTo(current)}
          error={codes.errors.currentCode?.message}
          digits={6}
        />
      )}
      <CodeField
        {...codes.register('newCode', { required: profileText.codeMissing })}
        label={profileText.codeSentTo(email)}
        error={codes.errors.newCode?.message}
        digits={6}
      />
    </SaveDialog>
  )
}

function useChange(
  { current, email }: { current: string | null; email: string },
  onDone: () => void,
) {
  const client = useQueryClient()
  const toasts = useToasts()
  return useSaveForm({
    defaultValues: { currentCode: '', newCode: '' },
    fields: ['currentCode', 'newCode'],
    send: async (codes: { currentCode: string; newCode: string }) => {
      try {
        const { currentCode, newCode } = codes
        return await command('users.changeEmail', {
          email,
          newCode,
          ...(current !== null && { currentCode }),
        })
      } catch (reason) {
        const me = await storedMe(client)
        if (me?.email === email.toLowerCase()) return me
        throw reason
      }
    },
    onSaved: me => {
      setMe(client, me)
      // Cached lists of members and invitations belong to the old e-mail address.
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'auth.login' })
      toasts.success(profileText.emailChanged, profileText.emailChangedText(email))
      onDone()
    },
  })
}

/** Reads the user from the server, which may have changed the e-mail address although its response was lost. */
async function storedMe(client: QueryClient): Promise<Me | undefined> {
  const answer = await client.fetchQuery({ ...loginQuery, staleTime: 0 }).catch(() => undefined)
  return answer?.login?.user
}
