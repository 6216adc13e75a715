export { AlertDialog } from '@base-ui/react/alert-dialog'
export { Dialog } from '@base-ui/react/dialog'
export { Menu } from '@base-ui/react/menu'
