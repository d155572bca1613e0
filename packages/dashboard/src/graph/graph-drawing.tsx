import type { TaskGraph } from '@waybill/client';
import { shortened } from '@waybill/client/words';
import { Maximize, Minus, Plus } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { IconButton } from '../ui/button.js';
import { classes } from '../ui/classes.js';
import { type Drawing, drawingOf, NODE } from './drawing.js';
import css from './graph-drawing.module.css';
import { Minimap } from './minimap.js';
import { NodeLink } from './node-link.js';
import { type GraphNode, nameOf, stateOf, toneOf } from './node-words.js';
import { useViewBox } from './use-view-box.js';
import { showing } from './view-box.js';

/** For the tools above a small graph, in pixels. */
const ROOM = 96;

/** The graph as a picture that people move and zoom. Each node is a link that Tab reaches, in the order of the levels. */
export function GraphDrawing({ graph }: { graph: TaskGraph }) {
  const window = useRef<HTMLDivElement>(null);
  const drawing = useMemo(() => drawingOf(graph), [graph]);
  const { box, show, closer, farther, fit, handlers } = useViewBox(window, drawing);
  return (
    <div className={css.frame}>
      <div
        ref={window}
        className={css.window}
        style={{ height: `min(30rem, ${drawing.height + ROOM}px)` }}
        role="region"
        aria-label="Graph. Arrow keys move it, plus and minus zoom, 0 shows all of it"
        tabIndex={0}
        {...handlers}
      >
        <svg
          className={css.graph}
          role="group"
          aria-label="Tasks and what they wait for"
          viewBox={`${box.x} ${box.y} ${box.width} ${box.height}`}
        >
          <Edges drawing={drawing} cause={graph.cause} />
          {drawing.nodes.map(({ node, x, y }) => (
            <g key={node.id} transform={`translate(${x} ${y})`}>
              <NodeLink node={node} onFocus={() => show(showing(box, { x, y, ...NODE }))}>
                <Node node={node} isCause={graph.cause.includes(node.id)} />
              </NodeLink>
            </g>
          ))}
        </svg>
      </div>
      <div className={css.tools}>
        <IconButton label="Zoom in" onClick={closer}>
          <Plus aria-hidden="true" />
        </IconButton>
        <IconButton label="Zoom out" onClick={farther}>
          <Minus aria-hidden="true" />
        </IconButton>
        <IconButton label="Show all of it" onClick={fit}>
          <Maximize aria-hidden="true" />
        </IconButton>
      </div>
      <Minimap drawing={drawing} box={box} onShow={show} />
    </div>
  );
}

/** The path from a blocked task to its cause stands out. */
function Edges({ drawing: { edges }, cause }: { drawing: Drawing; cause: readonly string[] }) {
  const blamed = new Set(cause.slice(1).map((id, at) => `${id} ${cause[at]}`));
  return edges.map(({ edge: { from, to, closed }, path }) => (
    <path
      key={`${from} ${to}`}
      d={path}
      className={classes(css.edge, closed && css.closed, blamed.has(`${from} ${to}`) && css.cause)}
      data-cause={blamed.has(`${from} ${to}`) || undefined}
    />
  ));
}

const TITLE_CHARACTERS = 23;

/** The colour is in the bar and the border; the state is told in words as well. */
const Node = ({ node, isCause }: { node: GraphNode; isCause: boolean }) => (
  <g className={classes(css.node, css[toneOf(node)], isCause && css.blamed)} data-node={toneOf(node)}>
    <title>{`${nameOf(node)}: ${stateOf(node)}${node.queue === null ? '' : `, in queue ${node.queue}`}`}</title>
    {node.kind === 'fold' ? <rect className={css.behind} x="4" y="4" {...NODE} rx="6" /> : null}
    <rect className={css.box} {...NODE} rx="6" />
    <rect className={css.bar} width="5" height={NODE.height} rx="2.5" />
    <text x="14" y="18">
      {shortened(nameOf(node), TITLE_CHARACTERS)}
    </text>
    <text className={css.words} x="14" y="35">
      {shortened(stateOf(node), TITLE_CHARACTERS)}
    </text>
  </g>
);
