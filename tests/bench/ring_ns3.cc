// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * A ring of point-to-point links in ns-3, under a load that ring_bench.c has written.
 *
 * What lives here: nodes whose device leads to the next node. Each node removes the packets that
 * are sent to it, answers requests, and forwards all other packets. For each packet an echo travels
 * the rest of the ring, as in emu/ring. There are no go bits, limits of buffers or retries, and a
 * node forwards a packet only when it has received all of it. May use ns-3.
 *
 * usage: ring_ns3 NODES REQUESTS
 *
 * Prints seconds of processor time, packets on links, transactions that ended, and their mean
 * clocks.
 */
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include <ns3/core-module.h>
#include <ns3/network-module.h>
#include <ns3/point-to-point-module.h>

using namespace ns3;

static const double CLOCK_NS = 2.999;
static const uint32_t HOP_CLOCKS = 4, SERVICE_CLOCKS = 8, SYMBOL_BYTES = 2, ECHO_SYMBOLS = 4;

enum Kind { REQUEST, RESPONSE, ECHO };

struct Request {
	uint64_t clock;
	uint32_t source, target, symbols, answer;
};

static std::vector<Request> requests;
static std::vector<Ptr<NetDevice>> out;
static uint64_t packets, ended;
static double ended_ns;

/*
 * The header that a node reads: 8 bytes, the size of an echo. ns-3's header of 2 bytes stands for
 * the gap.
 */
class Way : public Header
{
      public:
	uint16_t target = 0;
	uint16_t kind = 0;
	uint32_t request = 0;

	static TypeId GetTypeId()
	{
		static TypeId id = TypeId("Way").SetParent<Header>().AddConstructor<Way>();
		return id;
	}
	TypeId GetInstanceTypeId() const override
	{
		return GetTypeId();
	}
	uint32_t GetSerializedSize() const override
	{
		return 8;
	}
	void Serialize(Buffer::Iterator at) const override
	{
		at.WriteU16(target);
		at.WriteU16(kind);
		at.WriteU32(request);
	}
	uint32_t Deserialize(Buffer::Iterator at) override
	{
		target = at.ReadU16();
		kind = at.ReadU16();
		request = at.ReadU32();
		return 8;
	}
	void Print(std::ostream &) const override
	{
	}
};

static Time clocks(double count)
{
	return NanoSeconds(0) + PicoSeconds(static_cast<uint64_t>(count * CLOCK_NS * 1000));
}

static void forward(uint32_t node, Ptr<Packet> packet)
{
	packets++;
	out[node]->Send(packet, out[node]->GetBroadcast(), 0x0800);
}

static void start(uint32_t node, uint32_t target, Kind kind, uint32_t request, uint32_t symbols)
{
	Way way;
	Ptr<Packet> packet = Create<Packet>(symbols * SYMBOL_BYTES - way.GetSerializedSize());

	way.target = target;
	way.kind = kind;
	way.request = request;
	packet->AddHeader(way);
	forward(node, packet);
}

static void next_request(uint32_t index)
{
	const Request &request = requests[index];

	start(request.source, request.target, REQUEST, index, request.symbols);
}

static void end(uint32_t index)
{
	ended++;
	ended_ns += Simulator::Now().GetPicoSeconds() / 1000.0 - requests[index].clock * CLOCK_NS;
}

static void answer(uint32_t index)
{
	const Request &request = requests[index];

	if (request.answer)
		start(request.target, request.source, RESPONSE, index, request.answer);
	else
		end(index);
}

static bool arrived(Ptr<NetDevice> device, Ptr<const Packet> packet, uint16_t, const Address &)
{
	uint32_t node = device->GetNode()->GetId();
	Way way;

	packet->PeekHeader(way);
	if (way.target != node) {
		forward(node, packet->Copy());
		return true;
	}
	if (way.kind == ECHO)
		return true;
	const Request &request = requests[way.request];
	start(node, way.kind == REQUEST ? request.source : request.target, ECHO, way.request,
	      ECHO_SYMBOLS);
	if (way.kind == REQUEST)
		Simulator::Schedule(clocks(SERVICE_CLOCKS), &answer, way.request);
	else
		Simulator::Schedule(clocks(SERVICE_CLOCKS), &end, way.request);
	return true;
}

int main(int argc, char **argv)
{
	unsigned nodes = argc == 3 ? atoi(argv[1]) : 0;
	FILE *file = nodes ? fopen(argv[2], "r") : nullptr;
	unsigned long long clock;
	Request request;

	if (!file) {
		fprintf(stderr, "usage: ring_ns3 NODES REQUESTS\n");
		return 2;
	}
	Time::SetResolution(Time::PS);
	while (fscanf(file, "%llu %u %u %u %u", &clock, &request.source, &request.target,
		      &request.symbols, &request.answer) == 5) {
		request.clock = clock;
		requests.push_back(request);
	}
	fclose(file);

	NodeContainer all;
	all.Create(nodes);
	PointToPointHelper link;
	link.SetDeviceAttribute("DataRate", DataRateValue(DataRate(static_cast<uint64_t>(
						    SYMBOL_BYTES * 8 * 1e9 / CLOCK_NS))));
	link.SetChannelAttribute("Delay", TimeValue(clocks(HOP_CLOCKS)));
	link.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("1000000p"));
	for (unsigned node = 0; node < nodes; node++) {
		NetDeviceContainer ends = link.Install(all.Get(node), all.Get((node + 1) % nodes));

		out.push_back(ends.Get(0));
		ends.Get(1)->SetReceiveCallback(MakeCallback(&arrived));
	}
	for (uint32_t i = 0; i < requests.size(); i++)
		Simulator::Schedule(clocks(requests[i].clock), &next_request, i);

	timespec begin, stop;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
	Simulator::Run();
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &stop);
	printf("%.6f %llu %llu %.1f\n",
	       stop.tv_sec - begin.tv_sec + (stop.tv_nsec - begin.tv_nsec) / 1e9,
	       static_cast<unsigned long long>(packets), static_cast<unsigned long long>(ended),
	       ended ? ended_ns / ended / CLOCK_NS : 0);
	Simulator::Destroy();
	return 0;
}
