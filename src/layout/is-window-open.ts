/** Whether a window or menu is open: what is pressed then is meant for that, wherever the focus is. */
export const isWindowOpen = (): boolean =>
  document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null
