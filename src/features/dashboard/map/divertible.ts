/** The screen of a context: who draws to it draws to a picture instead while that is wanted, without knowing. */
export type DivertibleScreen = {
  divert(isDiverted: boolean): void
  /** copies what was drawn to the screen, from its upper left */
  show(): void
  /** the context is again as it was */
  release(): void
}

/** Exchanges two calls of the context until `release`. */
export function divertible(gl: WebGL2RenderingContext): DivertibleScreen {
  const bindFramebuffer = gl.bindFramebuffer.bind(gl)
  const drawBuffers = gl.drawBuffers.bind(gl)
  const picture = gl.createFramebuffer()
  const parts = [
    [gl.createRenderbuffer(), gl.RGBA8, gl.COLOR_ATTACHMENT0],
    [gl.createRenderbuffer(), gl.DEPTH24_STENCIL8, gl.DEPTH_STENCIL_ATTACHMENT],
  ] as const
  let width = 0
  let height = 0
  let isDiverted = false

  /** The picture is as large as the screen. */
  function fitScreen(): void {
    if (width === gl.drawingBufferWidth && height === gl.drawingBufferHeight) return
    width = gl.drawingBufferWidth
    height = gl.drawingBufferHeight
    const bound = gl.getParameter(gl.RENDERBUFFER_BINDING) as WebGLRenderbuffer | null
    bindFramebuffer(gl.FRAMEBUFFER, picture)
    for (const [buffer, format, attachment] of parts) {
      gl.bindRenderbuffer(gl.RENDERBUFFER, buffer)
      gl.renderbufferStorage(gl.RENDERBUFFER, format, width, height)
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, attachment, gl.RENDERBUFFER, buffer)
    }
    gl.bindRenderbuffer(gl.RENDERBUFFER, bound)
  }

  /** What is drawn to in place of the screen; null: the screen. */
  function inItsPlace(): WebGLFramebuffer | null {
    if (!isDiverted) return null
    fitScreen()
    return picture
  }

  gl.bindFramebuffer = (target, framebuffer) => bindFramebuffer(target, framebuffer ?? inItsPlace())
  gl.drawBuffers = (buffers) =>
    drawBuffers(isDiverted ? [...buffers].map((to) => (to === gl.BACK ? gl.COLOR_ATTACHMENT0 : to)) : buffers)

  return {
    divert(next) {
      isDiverted = next
      bindFramebuffer(gl.FRAMEBUFFER, inItsPlace())
    },
    show() {
      // nothing was drawn yet
      if (width === 0) return
      const isClipped = gl.isEnabled(gl.SCISSOR_TEST)
      if (isClipped) gl.disable(gl.SCISSOR_TEST)
      bindFramebuffer(gl.READ_FRAMEBUFFER, picture)
      bindFramebuffer(gl.DRAW_FRAMEBUFFER, null)
      const above = gl.drawingBufferHeight - height
      gl.blitFramebuffer(
        0,
        0,
        width,
        height,
        0,
        above,
        width,
        above + height,
        gl.COLOR_BUFFER_BIT,
        gl.NEAREST,
      )
      bindFramebuffer(gl.FRAMEBUFFER, picture)
      if (isClipped) gl.enable(gl.SCISSOR_TEST)
    },
    release() {
      gl.bindFramebuffer = bindFramebuffer
      gl.drawBuffers = drawBuffers
      gl.deleteFramebuffer(picture)
      for (const [buffer] of parts) gl.deleteRenderbuffer(buffer)
    },
  }
}
