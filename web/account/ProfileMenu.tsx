import { useQuery } from '@tanstack/react-query'
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
import { useNavigate } from 'react-router'
import { DeskMenuItem } from '#support/web/registerMenu.tsx'
import { useMe } from '#web/api/login.ts'
import { loginQuery } from '#web/api/loginQuery.ts'
import { newestPhotoUrl } from '#web/api/pictures.ts'
import { teamsQuery } from '#web/api/teamQueries.ts'
import { profileText } from '#web/text/profile.ts'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { Initials, Menu, MenuItem } from '#web/ui/Menu.tsx'
import { useConfirmation } from '#web/ui/useConfirmation.ts'
import { initialsOf } from './initialsOf.ts'
import { type ProfileDialog, useProfileDialog } from './useProfileDialog.tsx'
import { useSignOut } from './useSignOut.ts'

interface Entry {
  icon: LucideIcon
  label: string
  dialog: ProfileDialog
  /** Hidden for a login that may only read. */
  ofPeople?: boolean
}

const dialogs: readonly Entry[] = [
  { icon: UserPen, label: profileText.editName, dialog: 'NameDialog' },
  { icon: Mail, label: profileText.changeEmail, dialog: 'EmailDialog', ofPeople: true },
  {
    icon: Bell,
    label: profileText.notifications,
    dialog: 'NotificationsDialog',
    ofPeople: true,
  },
  { icon: MonitorSmartphone, label: profileText.devices, dialog: 'DevicesDialog' },
  { icon: KeyRound, label: profileText.passkeys, dialog: 'PasskeysDialog', ofPeople: true },
  { icon: MapPinOff, label: profileText.deletePositions, dialog: 'DeleteAllPositions' },
  { icon: Download, label: profileText.exportData, dialog: 'ExportDialog', ofPeople: true },
  {
    icon: UserX,
    label: profileText.deleteAccount,
    dialog: 'DeleteAccountDialog',
    ofPeople: true,
  },
]

/** Menu of the signed-in user: name, email, devices, positions, sign-out; for agents also the support desk. */
export function ProfileMenu() {
  const me = useMe()
  const isReader = me.kind === 'anonymous'
  const hasSupport = useQuery(loginQuery).data?.login?.support
  const profile = useProfileDialog()
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
            <MenuItem key={label} icon={<Icon aria-hidden />} onChoose={() => profile.open(dialog)}>
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
      {profile.dialog}
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
