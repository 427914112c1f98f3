import { type DefaultProps, Layer, type LayerProps, type UpdateParameters } from '@deck.gl/core'
import type { Buffer, Texture } from '@luma.gl/core'
import { Model } from '@luma.gl/engine'
import { pictureShaders, pictureUniforms } from './picture-shaders.ts'
import { PLACE_STEPS } from './points.ts'
import type { Frame } from './sprites.ts'
import { viewUniforms } from './view-uniforms.ts'

/** A picture of the texture, centred on a place of the unit square. */
export type Picture = { x: number; y: number; frame: Frame }

type PictureLayerProps = {
  pictures: readonly Picture[]
  texture: Texture
  /** px of the screen to one of the page that the texture is drawn for */
  ratio: number
}

const defaultProps: DefaultProps<LayerProps & PictureLayerProps> = {
  pictures: { type: 'object', value: [] },
  texture: { type: 'object', value: undefined as unknown as Texture },
  ratio: 1,
}

/** Two triangles a picture, each of their corners four words: the place as a point has it, and the frame, two bytes a side. */
const CORNERS = 6
const WORDS = 4

/**
 * Pictures of one texture in one draw call, without instances, in their order. The library's layer of icons does the same by a
 * shader that a processor in place of a card takes six times as long to make ready (docs/decisions/0259).
 */
export class PictureLayer extends Layer<PictureLayerProps> {
  static override layerName = 'PictureLayer'
  static override defaultProps = defaultProps
  declare state: { model: Model; buffer: Buffer | undefined }

  override initializeState(): void {
    this.setState({ model: this.createModel(), buffer: undefined })
  }

  override getNumInstances(): number {
    return 0
  }

  override updateState({ props, oldProps }: UpdateParameters<this>): void {
    const { pictures } = props
    if (pictures === oldProps.pictures || pictures.length === 0) return
    const words = wordsOf(pictures)
    const { state } = this
    if (state.buffer === undefined || state.buffer.byteLength < words.byteLength) {
      state.buffer?.destroy()
      state.buffer = this.context.device.createBuffer({ byteLength: words.byteLength * 2 })
      state.model.setAttributes({ pictures: state.buffer })
    }
    state.buffer.write(words)
    this.setNeedsRedraw()
  }

  override draw(): void {
    const { pictures, texture, ratio } = this.props
    const { model } = this.state
    if (pictures.length === 0) return
    model.setBindings({ sheet: texture })
    model.shaderInputs.setProps({ fleetPictures: { ...viewUniforms(this.context), ratio } })
    model.setVertexCount(pictures.length * CORNERS)
    model.draw(this.context.renderPass)
  }

  override finalizeState(context: this['context']): void {
    super.finalizeState(context)
    this.state.buffer?.destroy()
  }

  private createModel(): Model {
    return new Model(this.context.device, {
      ...this.getShaders({ ...pictureShaders, modules: [pictureUniforms] }),
      id: this.props.id,
      topology: 'triangle-list',
      bufferLayout: [
        {
          name: 'pictures',
          byteStride: WORDS * Uint32Array.BYTES_PER_ELEMENT,
          attributes: [
            { attribute: 'place', format: 'uint32x2', byteOffset: 0 },
            { attribute: 'frame', format: 'uint16x4', byteOffset: 8 },
          ],
        },
      ],
    })
  }
}

/** A corner is told by its number alone, so that all six of a picture are alike. */
function wordsOf(pictures: readonly Picture[]): Uint32Array {
  const words = new Uint32Array(pictures.length * CORNERS * WORDS)
  let at = 0
  for (const { x, y, frame } of pictures)
    for (let corner = 0; corner < CORNERS; corner++) {
      words[at++] = x * PLACE_STEPS
      words[at++] = y * PLACE_STEPS
      words[at++] = frame.x | (frame.y << 16)
      words[at++] = frame.width | (frame.height << 16)
    }
  return words
}
