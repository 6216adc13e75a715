import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { Me } from '#contract/users.ts'
import { command } from '#web/api/call.ts'
import { setMe, useMe } from '#web/api/login.ts'
import { loginQuery } from '#web/api/loginQuery.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { refusedFields, showRefusedFields } from '#web/api/showRefusedFields.ts'
import { profileText } from '#web/text/profile.ts'
import { CodeField } from '#web/ui/CodeField.tsx'
import { DialogError, FormDialog, SaveChoices } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useToasts } from '#web/ui/toasts.ts'
import { Stack } from '#web/ui/Wrap.tsx'

interface Props {
  open: boolean
  onClose: () => void
}

/** Dialog to change the user's email address: first the address, then the codes from both mailboxes. */
export function EmailDialog({ open, onClose }: Props) {
  const [email, setEmail] = useState('')
  const [isMailed, setMailed] = useState(false)
  const send = useMutation({
    mutationFn: (address: string) => command('users.sendEmailCodes', { email: address }),
    onSuccess: () => setMailed(true),
  })
  const change = useChange(close)
  function close() {
    send.reset()
    change.reset()
    setEmail('')
    setMailed(false)
    onClose()
  }
  function back() {
    change.reset()
    setMailed(false)
  }
  return (
    <FormDialog
      open={open}
      title={profileText.emailTitle}
      busy={send.isPending || change.isPending}
      onClose={close}
    >
      {isMailed ? (
        <CodesForm email={email} change={change} onBack={back} />
      ) : (
        <AddressForm email={email} send={send} onSend={setEmail} onCancel={close} />
      )}
    </FormDialog>
  )
}

interface Change {
  email: string
  currentCode: string
  newCode: string
}

function useChange(onDone: () => void) {
  const client = useQueryClient()
  const toasts = useToasts()
  return useMutation({
    mutationFn: async (input: Change) => {
      try {
        return await command('users.changeEmail', input)
      } catch (reason) {
        const me = await storedMe(client)
        if (me?.email === input.email.toLowerCase()) return me
        throw reason
      }
    },
    onSuccess: (me, { email }) => {
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

interface AddressFormProps {
  /** The e-mail address typed before, if the user came back. */
  email: string
  send: { isPending: boolean; error: unknown; mutate: SendCodes }
  onSend: (email: string) => void
  onCancel: () => void
}

type SendCodes = (email: string, options: { onError: (reason: unknown) => void }) => void

function AddressForm({ email: typed, send, onSend, onCancel }: AddressFormProps) {
  const { register, handleSubmit, formState, setError } = useForm({
    defaultValues: { email: typed },
  })
  function submit({ email }: { email: string }) {
    onSend(email.trim())
    send.mutate(email.trim(), {
      onError: reason => void showRefusedFields(reason, ['email'], setError),
    })
  }
  return (
    <form noValidate onSubmit={event => void handleSubmit(submit)(event)}>
      <Stack>
        <p className={typography.sub}>{profileText.emailText(useMe().email ?? '')}</p>
        <Field
          {...register('email', { required: profileText.newEmailMissing })}
          label={profileText.newEmail}
          error={formState.errors.email?.message}
          type="email"
          inputMode="email"
          autoComplete="email"
        />
        {send.error !== null && refusedFields(send.error, ['email']).length === 0 && (
          <DialogError>{refusalText(send.error)}</DialogError>
        )}
      </Stack>
      <SaveChoices
        cancelLabel={profileText.cancel}
        saveLabel={profileText.sendCodes}
        valid
        busy={send.isPending}
        onCancel={onCancel}
      />
    </form>
  )
}

const codes = ['currentCode', 'newCode'] as const

interface CodesFormProps {
  email: string
  change: ReturnType<typeof useChange>
  onBack: () => void
}

function CodesForm({ email, change, onBack }: CodesFormProps) {
  const { email: current } = useMe()
  const { register, handleSubmit, formState, setError } = useForm({
    defaultValues: { currentCode: '', newCode: '' },
  })
  const { errors } = formState
  function submit(entered: { currentCode: string; newCode: string }) {
    const onError = (reason: unknown) => void showRefusedFields(reason, codes, setError)
    change.mutate({ email, ...entered }, { onError })
  }
  return (
    <form noValidate onSubmit={event => void handleSubmit(submit)(event)}>
      <Stack>
        <p className={typography.sub}>{profileText.codesText}</p>
        <CodeField
          {...register('currentCode', { required: profileText.codeMissing })}
          label={profileText.codeSentTo(current ?? '')}
          error={errors.currentCode?.message}
          digits={6}
        />
        <CodeField
          {...register('newCode', { required: profileText.codeMissing })}
          label={profileText.codeSentTo(email)}
          error={errors.newCode?.message}
          digits={6}
        />
        {change.error && refusedFields(change.error, codes).length === 0 && (
          <DialogError>{refusalText(change.error)}</DialogError>
        )}
      </Stack>
      <SaveChoices
        cancelLabel={profileText.back}
        saveLabel={profileText.changeEmail}
        valid
        busy={change.isPending}
        onCancel={onBack}
      />
    </form>
  )
}
