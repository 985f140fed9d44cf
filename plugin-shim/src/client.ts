// One channel to one sidecar: unary calls with deadlines, and the attached stream.

import { type ClientDuplexStream, credentials, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { MESSAGE_MAX_BYTES, PING_MS, QUEUE_MAX_BYTES, STALL_MS } from "./constants.js";
import { FlowctxClient, type ShimFrame, type SidecarFrame } from "./v1/flowctx.js";

const OWN_REFUSALS = [status.INVALID_ARGUMENT, status.FAILED_PRECONDITION];

type Unary<Request, Response> = (
  request: Request,
  metadata: Metadata,
  options: { deadline: number },
  callback: (error: ServiceError | null, response: Response) => void,
) => unknown;

export class SidecarClient {
  readonly rpc: FlowctxClient;
  private readonly metadata = new Metadata();
  private stream: ClientDuplexStream<ShimFrame, SidecarFrame> | undefined;
  private pings: NodeJS.Timeout | undefined;
  private sentPing = 0;
  private lastPong = 0;
  private unansweredSince = 0;

  constructor(address: string, token: string) {
    this.rpc = new FlowctxClient(address, credentials.createInsecure(), {
      "grpc.max_receive_message_length": MESSAGE_MAX_BYTES,
      "grpc.max_send_message_length": MESSAGE_MAX_BYTES,
      "grpc.initial_reconnect_backoff_ms": 50,
      "grpc.max_reconnect_backoff_ms": 1_000,
      "grpc.enable_http_proxy": 0,
    });
    this.metadata.set("flowctx-token", token);
  }

  /** One call; rejects when it fails or the deadline passes. */
  call<Request, Response>(
    method: Unary<Request, Response>,
    request: Request,
    withinMs: number,
  ): Promise<Response> {
    return new Promise((resolve, reject) => {
      const options = { deadline: Date.now() + withinMs };
      method.call(this.rpc, request, this.metadata, options, (error, response) =>
        error ? reject(inWords(error)) : resolve(response),
      );
    });
  }

  /** Open the stream; `onEnd` is called once, when it has ended for whatever reason. */
  attach(onFrame: (frame: SidecarFrame["frame"]) => void, onEnd: (reason: string) => void): void {
    const stream = this.rpc.attach(this.metadata);
    this.stream = stream;
    stream.on("data", (frame: SidecarFrame) => {
      if (frame.frame?.$case === "pong") this.notePong(frame.frame.value.seq);
      else onFrame(frame.frame);
    });
    const end = (reason: string): void => {
      if (this.stream !== stream) return;
      this.stream = undefined;
      clearInterval(this.pings);
      onEnd(reason);
    };
    stream.on("error", (error: ServiceError) => end(error.details || error.message));
    stream.on("end", () => end("it ended the stream"));
    this.pings = setInterval(() => this.ping(), PING_MS);
    this.pings.unref();
  }

  /** Send a frame ahead, without waiting; false when it was dropped. */
  send(frame: ShimFrame["frame"]): boolean {
    const { stream } = this;
    if (!stream || stream.writableLength > QUEUE_MAX_BYTES) return false;
    stream.write({ frame });
    return true;
  }

  /** True while the process is there but answers nothing, as when it was stopped. */
  get isStalled(): boolean {
    return this.unansweredSince > 0 && Date.now() - this.unansweredSince > STALL_MS;
  }

  /** A call ran out of time: treat the sidecar as hanging until it answers a ping. */
  noteTimeout(): void {
    this.ping();
    this.unansweredSince = Date.now() - STALL_MS - 1;
  }

  close(): void {
    clearInterval(this.pings);
    const { stream } = this;
    this.stream = undefined;
    stream?.end();
    this.rpc.close();
  }

  private ping(): void {
    if (this.lastPong < this.sentPing) return;
    this.sentPing += 1;
    if (!this.unansweredSince) this.unansweredSince = Date.now();
    this.send({ $case: "ping", value: { seq: this.sentPing } });
  }

  private notePong(seq: number): void {
    this.lastPong = Math.max(this.lastPong, seq);
    if (this.lastPong === this.sentPing) this.unansweredSince = 0;
  }
}

/** What the sidecar says in sentences of its own needs no name of a status before it. */
function inWords(error: ServiceError): ServiceError {
  if (OWN_REFUSALS.includes(error.code) && error.details) {
    error.message = error.details.replace(/\.$/, "");
  }
  return error;
}
