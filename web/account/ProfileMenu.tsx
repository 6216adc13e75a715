import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  Bell,
  Download,
  KeyRound,
  LogOut,
  type LucideIcon,
  Mail,
  MapPinOff,
  MonitorSmartphone,
  ShieldCheck,
  UserPen,
  UserX,
} from 'lucide-react'
import { type ComponentType, useState } from 'react'
import { useNavigate } from 'react-router'
import type { InputOf } from '#contract/api.ts'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import { DeskMenuItem } from '#support/web/registerMenu.tsx'
import { command } from '#web/api/call.ts'
import { setMe, useMe } from '#web/api/login.ts'
import { loginQuery } from '#web/api/loginQuery.ts'
import { newestPhotoUrl } from '#web/api/pictures.ts'
import { teamsQuery } from '#web/api/teamQueries.ts'
import { profileText } from '#web/text/profile.ts'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { grouped } from '#web/ui/grouped.ts'
import { Initials, Menu, MenuItem } from '#web/ui/Menu.tsx'
import { required } from '#web/ui/required.ts'
import { SaveDialog, useSaveForm } from '#web/ui/SaveDialog.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { useCommand } from '#web/ui/useCommand.ts'
import { useConfirmation } from '#web/ui/useConfirmation.ts'
import { DeleteAccountDialog } from './DeleteAccountDialog.tsx'
import { DevicesDialog } from './DevicesDialog.tsx'
import { EmailDialog } from './EmailDialog.tsx'
import { ExportDialog } from './ExportDialog.tsx'
import { initialsOf } from './initialsOf.ts'
import { NotificationsDialog } from './NotificationsDialog.tsx'
import { PasskeysDialog } from './PasskeysDialog.tsx'
import { useSignOut } from './useSignOut.ts'

interface Entry {
  icon: LucideIcon
  label: string
  dialog: ComponentType<{ onClose: () => void }>
  /** Hidden for a login that may only read. */
  ofPeople?: boolean
}

const dialogs: readonly Entry[] = [
  { icon: UserPen, label: profileText.editName, dialog: NameDialog },
  { icon: Mail, label: profileText.changeEmail, dialog: EmailDialog, ofPeople: true },
  {
    icon: Bell,
    label: profileText.notifications,
    dialog: NotificationsDialog,
    ofPeople: true,
  },
  { icon: MonitorSmartphone, label: profileText.devices, dialog: DevicesDialog },
  { icon: KeyRound, label: profileText.passkeys, dialog: PasskeysDialog, ofPeople: true },
  { icon: MapPinOff, label: profileText.deletePositions, dialog: DeleteAllPositions },
  { icon: Download, label: profileText.exportData, dialog: ExportDialog, ofPeople: true },
  {
    icon: UserX,
    label: profileText.deleteAccount,
    dialog: DeleteAccountDialog,
    ofPeople: true,
  },
]

/** Menu of the signed-in user: name, email, devices, positions, sign-out; for agents also the support desk. */
export function ProfileMenu() {
  const me = useMe()
  const isReader = me.kind === 'anonymous'
  const hasSupport = useQuery(loginQuery).data?.login?.support
  const [Dialog, setDialog] = useState<Entry['dialog'] | null>(null)
  const signOut = useSignOut()
  const signOutConfirmation = useConfirmation(() => void signOut.request())
  const navigate = useNavigate()
  const { data: teams } = useQuery(teamsQuery)
  const photo = newestPhotoUrl(me.id, teams ?? [])
  const name = [me.firstName, me.lastName].filter(Boolean).join(' ')
  const email = me.email ?? (isReader ? profileText.anonymous : profileText.noEmail)
  return (
    <>
      <Menu
        label={profileText.menu(initialsOf(me))}
        button={<Initials picture={photo}>{initialsOf(me)}</Initials>}
        title={name || email}
        {...(name && { detail: email })}
      >
        {dialogs
          .filter(({ ofPeople }) => !ofPeople || !isReader)
          .map(({ icon: Icon, label, dialog }) => (
            <MenuItem
              key={label}
              icon={<Icon aria-hidden />}
              onChoose={() => setDialog(() => dialog)}
            >
              {label === profileText.changeEmail && me.email === null
                ? profileText.addEmail
                : label}
            </MenuItem>
          ))}
        <MenuItem icon={<ShieldCheck aria-hidden />} onChoose={() => void navigate('/privacy')}>
          {profileText.privacy}
        </MenuItem>
        {hasSupport && <DeskMenuItem />}
        <MenuItem
          icon={<LogOut aria-hidden />}
          onChoose={me.kind === 'joined' ? signOutConfirmation.ask : () => void signOut.request()}
        >
          {profileText.signOut}
        </MenuItem>
      </Menu>
      <ConfirmDialog
        {...signOutConfirmation.dialog}
        title={profileText.unsentTitle}
        text={profileText.onlyHereText}
        cancelLabel={profileText.staySignedIn}
        confirmLabel={profileText.signOut}
      />
      {Dialog && <Dialog onClose={() => setDialog(null)} />}
      <ConfirmDialog
        open={signOut.unsent !== null}
        title={profileText.unsentTitle}
        text={profileText.unsentText(signOut.unsent?.positions ?? 0, signOut.unsent?.changes ?? 0)}
        cancelLabel={profileText.staySignedIn}
        confirmLabel={profileText.signOutAndDelete}
        onCancel={signOut.stay}
        onConfirm={signOut.confirm}
      />
    </>
  )
}

/** Asks for confirmation, then deletes all positions of this user. Stays open until the response. */
function DeleteAllPositions({ onClose }: { onClose: () => void }) {
  const toasts = useToasts()
  const remove = useCommand({
    send: () => command('users.deletePositions', {}),
    failed: profileText.deleteFailed,
    onSuccess: ({ deleted, continues }) => {
      const count = grouped(deleted)
      toasts.success(
        profileText.deleted,
        continues ? profileText.deletedSoFar(count) : profileText.deletedText(count),
      )
    },
    onSettled: onClose,
  })
  return (
    <ConfirmDialog
      open
      title={profileText.deleteTitle}
      text={profileText.deleteText}
      cancelLabel={profileText.keepPositions}
      confirmLabel={profileText.deletePositions}
      busy={remove.isPending}
      onCancel={onClose}
      onConfirm={() => remove.mutate()}
    />
  )
}

/** Dialog to change the user's own name. */
function NameDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const toasts = useToasts()
  const { firstName, lastName } = useMe()
  const { register, errors, form } = useSaveForm({
    defaultValues: { firstName: firstName ?? '', lastName: lastName ?? '' },
    fields: ['firstName', 'lastName'],
    send: (name: InputOf<'users.rename'>) => command('users.rename', name),
    onSaved: me => {
      setMe(client, me)
      // Cached lists of members and drivers contain the old name.
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'auth.login' })
      toasts.success(profileText.saved, profileText.savedText(`${me.firstName} ${me.lastName}`))
      onClose()
    },
  })
  return (
    <SaveDialog title={profileText.nameTitle} form={form} onClose={onClose}>
      <Field
        {...register('firstName', required(profileText.firstNameMissing))}
        label={profileText.firstName}
        error={errors.firstName?.message}
        maxLength={maxNameLetters}
        autoComplete="given-name"
      />
      <Field
        {...register('lastName', required(profileText.lastNameMissing))}
        label={profileText.lastName}
        error={errors.lastName?.message}
        maxLength={maxNameLetters}
        autoComplete="family-name"
      />
    </SaveDialog>
  )
}
